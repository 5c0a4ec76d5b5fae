import * as areas from './areas.ts'
import { getQuote } from './quote/get-quote.ts'
import type { Route } from './route.ts'
import { getStatus } from './status/get-status.ts'
import { rankOfTag } from './tags.ts'
import { getCredits } from './usage/get-credits.ts'

/** Every endpoint. The order of paths does not matter: the router prefers literals. */
export const routes: readonly Route[] = [
  getStatus,
  getCredits,
  getQuote,
  ...Object.values(areas).flat(),
].toSorted((a, b) => rankOfTag(a.tag) - rankOfTag(b.tag))
