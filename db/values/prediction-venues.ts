/** Venues of prediction markets. A pair of markets names that of the earlier venue first. */
export const PREDICTION_VENUES = ['polymarket', 'kalshi', 'limitless', 'predictit'] as const
