# A header chip with 28 lines under the label that a Raspberry Pi 4 gives it, and the board's revision, by which gpiozero
# knows the pins. What is there already stays: systemd tries again where something was not there yet.
set -eu
label=pinctrl-bcm2711

modprobe -a gpio-sim uinput virtio_net virtio_gpu ftdi_sio evdev || true
mount -t debugfs none /sys/kernel/debug 2> /dev/null || true
chip=/sys/kernel/config/gpio-sim/table
mkdir -p "$chip/bank0"
if [ "$(cat "$chip/live")" != 1 ]; then
    echo 28 > "$chip/bank0/num_lines"
    echo "$label" > "$chip/bank0/label"
    echo 1 > "$chip/live"
fi
{ cat /proc/cpuinfo; echo "Revision : c03115"; } > /run/cpuinfo
ip link set lo up
ip link set eth0 up
ip address replace 10.0.2.15/24 dev eth0
