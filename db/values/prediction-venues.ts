/** Venues of prediction markets. A pair of markets names that of the earlier venue first. */
export const PREDICTION_VENUES = ['polymarket', 'kalshi', 'limitless', 'predictit', 'manifold'] as const

/** Their money cannot be turned into any other, so no figure in USD has anything of what is traded there. */
export const PLAY_MONEY_VENUES: readonly (typeof PREDICTION_VENUES)[number][] = ['manifold']
