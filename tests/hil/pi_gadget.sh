#!/bin/sh
# On the rig's Raspberry Pi, as root, at every boot: its USB port is a keyboard (/dev/hidg0, the badge reader) and a touch
# panel (/dev/hidg1) for the table's computer. config.txt of the rig needs `dtoverlay=dwc2,dr_mode=peripheral`.
# Never run on copper.
set -eu
modprobe libcomposite
gadget=/sys/kernel/config/usb_gadget/felt
mkdir -p "$gadget/strings/0x409" "$gadget/configs/c.1"
echo 0x1d6b > "$gadget/idVendor"
echo 0x0104 > "$gadget/idProduct"
echo felt-rig > "$gadget/strings/0x409/serialnumber"
echo Felt > "$gadget/strings/0x409/manufacturer"
echo "Felt rig" > "$gadget/strings/0x409/product"

# A keyboard of the boot protocol: reports of 8 bytes.
keyboard="$gadget/functions/hid.badge"
mkdir -p "$keyboard"
echo 1 > "$keyboard/protocol"
echo 1 > "$keyboard/subclass"
echo 8 > "$keyboard/report_length"
printf '\005\001\011\006\241\001\005\007\031\340\051\347\025\000\045\001\165\001\225\010\201\002\225\001\165\010\201\003\225\006\165\010\025\000\045\145\005\007\031\000\051\145\201\000\300' > "$keyboard/report_desc"
ln -sf "$keyboard" "$gadget/configs/c.1/"

# A touch screen of one finger: tip switch, then x and y from 0 to 32767, reports of 5 bytes.
panel="$gadget/functions/hid.touch"
mkdir -p "$panel"
echo 0 > "$panel/protocol"
echo 0 > "$panel/subclass"
echo 5 > "$panel/report_length"
printf '\005\015\011\004\241\001\011\042\241\002\011\102\025\000\045\001\165\001\225\001\201\002\165\007\225\001\201\003\005\001\011\060\026\000\000\046\377\177\165\020\225\001\201\002\011\061\201\002\300\300' > "$panel/report_desc"
ln -sf "$panel" "$gadget/configs/c.1/"

ls /sys/class/udc > "$gadget/UDC"
chmod 0666 /dev/hidg0 /dev/hidg1
