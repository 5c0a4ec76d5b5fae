import { badRequest } from '../errors.ts'

/** Throws 400 when an account would have more than its plan allows. */
export function refuseMore(wanted: number, { of, most }: { of: string; most: number }): void {
  if (wanted > most)
    throw badRequest(`Your plan allows ${most.toLocaleString('en')} ${of}. Remove some, or change the plan`)
}
