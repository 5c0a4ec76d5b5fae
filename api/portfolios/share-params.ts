import { z } from 'zod'
import { SHARE_TOKEN_PATTERN } from '../../db/values/share-token.ts'

// What is malformed is no bad parameter: it gets the answer of what is wrong; a passcode without a token gets none.
const token = (description: string) =>
  z.string().meta({ pattern: SHARE_TOKEN_PATTERN, description }).optional()
const passcode = (description: string) => z.string().meta({ description }).optional()

/** Query parameters of an endpoint that a share token opens. */
export const shareParams = {
  shareToken: token('Token of a shared portfolio; the header `sharetoken` wins'),
  passcode: passcode('Six digits, where the shared portfolio has them; the header `passcode` wins'),
}

/** The same as headers, which win. */
export const shareHeaders = z.object({
  sharetoken: token('Token of a shared portfolio: what follows `/p/` in its link'),
  passcode: passcode('Six digits, where the shared portfolio has them'),
})
