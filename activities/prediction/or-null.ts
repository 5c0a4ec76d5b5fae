import { SourceRejected } from '../errors.ts'

/** null: the venue answers one of these statuses */
export async function orNull<T>(answer: Promise<T>, statuses: readonly number[] = [404]): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    const isMissing = statuses.some((status) => String(error).includes(`status ${status}`))
    if (error instanceof SourceRejected && isMissing) return null
    throw error
  }
}
