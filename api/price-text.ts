import type { Route } from './route.ts'

/** The price of a route in words. */
export function priceText(route: Route): string {
  if (route.public) return 'Free, without a key.'
  const plan = route.plan === 'paid' ? ' Paid plans only.' : ''
  if (!route.multiplied) return `Costs ${route.credits} credits.${plan}`
  return `Costs ${route.credits} credits for each network or wallet named, ${route.multiplied.creditsAll} for \`all\`.${plan}`
}
