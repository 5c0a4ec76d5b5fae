/** The plans of a new installation, as the migration of metering creates them. */
export const PLANS: readonly {
  id: string
  creditsPerMonth: number
  requestsPerSecond: number
  isPaid: boolean
}[] = [
  { id: 'free', creditsPerMonth: 20_000, requestsPerSecond: 2, isPaid: false },
  { id: 'starter', creditsPerMonth: 1_000_000, requestsPerSecond: 30, isPaid: true },
  { id: 'pro', creditsPerMonth: 10_000_000, requestsPerSecond: 100, isPaid: true },
  { id: 'enterprise', creditsPerMonth: 100_000_000, requestsPerSecond: 1_000, isPaid: true },
]
