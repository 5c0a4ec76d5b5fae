import { reasonOf } from '../explain-error.ts'

/** What one check found. `mend`: what to do, where it is not well. */
export interface Finding {
  check: string
  state: 'ok' | 'warn' | 'fail'
  detail: string
  mend?: string
}

export const ok = (check: string, detail: string): Finding => ({ check, state: 'ok', detail })
export const warn = (check: string, detail: string, mend: string): Finding => ({
  check,
  state: 'warn',
  detail,
  mend,
})
export const fail = (check: string, detail: string, mend: string): Finding => ({
  check,
  state: 'fail',
  detail,
  mend,
})

/** What a check finds; where it throws, that is what it finds. */
export async function attempt(
  check: string,
  work: () => Promise<Finding | Finding[]>,
  mend: string,
): Promise<Finding[]> {
  try {
    return [await work()].flat()
  } catch (error) {
    return [fail(check, reasonOf(error), mend)]
  }
}
