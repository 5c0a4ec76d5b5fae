import { z } from 'zod'
import { SHARE_TOKEN_PATTERN } from '../../db/values/share-token.ts'

// A malformed token or passcode gets the same answer as a wrong one. A passcode without a token is ignored.
const token = (description: string) =>
  z
    .string()
    .meta({ pattern: SHARE_TOKEN_PATTERN, description, example: '4hQ7xV0pZr2LkTn8cWb5sYd1GmJf93' })
    .optional()
const passcode = (description: string) => z.string().meta({ description, example: '493027' }).optional()

/** Query parameters of an endpoint that a share token opens. */
export const shareParams = {
  shareToken: token('Token of a shared portfolio; the header `sharetoken` wins'),
  passcode: passcode('Passcode of six digits, if the shared portfolio has one; the header `passcode` wins'),
}

/** The same parameters as headers; a header wins over its query parameter. */
export const shareHeaders = z.object({
  sharetoken: token('Token of a shared portfolio: what follows `/p/` in its link'),
  passcode: passcode('Passcode of six digits, if the shared portfolio has one'),
})
