import { UsageError } from './command.ts'

/** The error of a span that ends before it begins. */
export const notBefore = (from: Date, to: Date): UsageError =>
  new UsageError(
    `the span ends before it begins: --from is ${from.toISOString()}, --to is ${to.toISOString()}. ` +
      'Give an earlier --from or a later --to',
  )
