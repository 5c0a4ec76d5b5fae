/** What a venue says of a market, as far as it tells what the market is about. */
export interface MarketText {
  question: string
  /** its name among those of its event */
  label: string | null
  eventTitle: string | null
  rules: string | null
  /** in the venue's order */
  outcomes: readonly string[]
  endsAt: Date | null
  /** what is compared, where the venue says it apart from the words */
  strike: { type: string; floor: string | null; cap: string | null } | null
}
