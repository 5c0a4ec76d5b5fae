import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves when the part is usable; rejects with the reason when it is not. */
export type ReadinessCheck = () => Promise<unknown>

export interface UnusablePart {
  part: string
  reason: string
}

const CHECK_DEADLINE_MS = 1_500

/** Returns the parts whose checks fail or are late, with the reasons. */
export async function unusableParts(
  checks: Readonly<Record<string, ReadinessCheck>>,
): Promise<UnusablePart[]> {
  const reasons = await Promise.all(
    Object.entries(checks).map(async ([part, check]) => ({ part, reason: await reasonOf(check) })),
  )
  return reasons.filter((one): one is UnusablePart => one.reason !== null)
}

/** Returns why a check fails or is late; null: it passes. */
async function reasonOf(check: ReadinessCheck): Promise<string | null> {
  const late = sleep(CHECK_DEADLINE_MS, 'no answer in time', { ref: false })
  try {
    return await Promise.race([check().then(() => null), late])
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown }
    return message || String(code)
  }
}
