/** Who must be signed in to see a page; null: nobody. */
export type Viewer = 'owner' | 'operator' | null

/** Pages by path. `{..}` is filled in from the installation. */
export const PAGES: Record<string, Viewer> = {
  '/': null,
  '/v1/docs': null,
  '/demo': null,
  '/demo/transactions': null,
  '/demo/positions': null,
  '/demo/coin?coinId=ethereum': null,
  '/news/{article}': null,
  '/account': 'owner',
  '/account?range=1y': 'owner',
  '/account/transactions': 'owner',
  '/account/portfolios': 'owner',
  '/account/transaction': 'owner',
  '/account/import': 'owner',
  '/account/connections': 'owner',
  '/account/connections/wallet': 'owner',
  '/account/connections/exchange': 'owner',
  '/account/usage': 'owner',
  '/account/keys': 'owner',
  '/account/webhooks': 'owner',
  '/account/alerts': 'owner',
  '/account/shares': 'owner',
  '/account/kits': 'owner',
  '/account/data': 'owner',
  '/console': 'operator',
  '/console/quarantine': 'operator',
  '/console/money': 'operator',
}
