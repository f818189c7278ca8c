package gpulog

// What holds a GPU's clocks back, as NVML's clocks event reasons number it.
const (
	Idle              uint64 = 0x1
	ApplicationClocks uint64 = 0x2 // somebody has set the clocks
	PowerCap          uint64 = 0x4 // the power limit, in software
	HWSlowdown        uint64 = 0x8 // heat, a brake or too much power, at half the clock or less
	SyncBoost         uint64 = 0x10
	SWThermal         uint64 = 0x20 // heat, by the driver
	HWThermal         uint64 = 0x40 // heat, by the chip
	PowerBrake        uint64 = 0x80 // the power supply asks for less
	DisplayClocks     uint64 = 0x100
)

// ReasonsUnknown is in place of a mask that the driver does not tell. NVML uses no such bit.
const ReasonsUnknown uint64 = 1 << 63

// expected are reasons that hold back every GPU of a kind alike: it has nothing to do, it
// was set so, or it works as hard as its power limit lets it.
const expected = Idle | ApplicationClocks | PowerCap | DisplayClocks

// Throttled reports whether something holds the GPU back that another one of its kind, or
// the same an hour later, would not suffer. A bit that is newer than this program counts.
func Throttled(reasons uint64) bool {
	return reasons != ReasonsUnknown && reasons&^expected != 0
}
