// The prices of ticks in Raydium's program: libraries/tick_math.rs of https://github.com/raydium-io/raydium-clmm

/** Bit i: 2^64 / sqrt(1.0001)^(2^i), with fewer digits than it could have. */
const FACTORS = [
  0xfffcb933bd6fb800n,
  0xfff97272373d4000n,
  0xfff2e50f5f657000n,
  0xffe5caca7e10f000n,
  0xffcb9843d60f7000n,
  0xff973b41fa98e800n,
  0xff2ea16466c9b000n,
  0xfe5dee046a9a3800n,
  0xfcbe86c7900bb000n,
  0xf987a7253ac65800n,
  0xf3392b0822bb6000n,
  0xe7159475a2caf000n,
  0xd097f3bdfd2f2000n,
  0xa9f746462d9f8000n,
  0x70d869a156f31c00n,
  0x31be135f97ed3200n,
  0x9aa508b5b85a500n,
  0x5d6af8dedc582cn,
  0x2216e584f5fan,
]

/** Square root of the price at a tick, with 64 fractional bits. */
export function sqrtPriceAt(tick: number): bigint {
  let ratio = 1n << 64n
  FACTORS.forEach((factor, bit) => {
    if (Math.abs(tick) & (1 << bit)) ratio = (ratio * factor) >> 64n
  })
  return tick > 0 ? (2n ** 128n - 1n) / ratio : ratio
}
