/** Formats as 42 s, 12 min, 3.5 h or 2.1 d. */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${+(seconds / 3_600).toFixed(1)} h` : `${+(seconds / 86_400).toFixed(1)} d`
}
