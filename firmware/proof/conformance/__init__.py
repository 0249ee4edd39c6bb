"""Whether another maker's table or bank keeps the wire's rules, found by playing the other side (docs/mqtt.md)."""
