import { z } from 'zod'
import { AN_IDENTIFIER, IDENTIFIER } from './params.ts'

/** An identifier in a body. */
export const identifierField = () => z.string().regex(new RegExp(IDENTIFIER), `It must be ${AN_IDENTIFIER}`)

/** An amount in a body: 0, or at least the smallest unit of a token of 18 decimals. */
export const amountField = () =>
  z
    .number()
    .min(-1e18)
    .max(1e18)
    .refine(
      (value) => value === 0 || Math.abs(value) >= 1e-18,
      'It must be 0 or have a size of at least 1e-18',
    )

/** A display name in a body. */
export const nameField = () =>
  z.string().regex(/^[^\p{C}]{1,100}$/u, 'It must be 1 to 100 characters without control characters')
