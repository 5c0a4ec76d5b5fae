import { answersJson, type OpenApiDocument, type Parameter } from '../../api/openapi.ts'
import { wellSpelled } from './bad-spellings.ts'

/** Parameters that a request needs besides the required ones. */
export const NEEDED: Record<string, Record<string, string>> = {
  '/wallet/balance/many': { wallets: 'ethereum:0xd8da6bf26964af9d7eed9e03e53415d37aa96045' },
  '/wallet/balances': { wallets: 'ethereum:0xd8da6bf26964af9d7eed9e03e53415d37aa96045' },
  '/wallet/transactions': { wallets: 'ethereum:0xd8da6bf26964af9d7eed9e03e53415d37aa96045' },
  ...Object.fromEntries(
    ['/wallet/balance', '/wallet/status', '/wallet/chart', '/wallet/defi', '/wallet/pl'].map((path) => [
      path,
      { connectionId: 'ethereum' },
    ]),
  ),
  '/wallet/pl/history': { connectionId: 'ethereum', range: '1y', interval: 'monthly' },
  '/wallet/explain': { connectionId: 'ethereum', range: '1y', interval: 'monthly', date: '2026-03-01' },
  '/portfolio/explain': { portfolioId: 'nobodys', range: '1y', interval: 'monthly', date: '2026-03-01' },
  '/portfolio/report': { portfolioId: 'nobodys', year: '2026' },
  '/portfolio/status': { portfolioId: 'nobodys' },
  '/portfolio/transactions': { currency: 'USD' },
  '/portfolio/pl/history': { range: '1y', interval: 'monthly' },
  '/exchange/pl/history': { range: '1y', interval: 'monthly' },
  '/token-risks': { coinId: 'bitcoin' },
}

export interface Target {
  path: string
  parameters: Parameter[]
  /** The URL of a valid request. `change` replaces one parameter. */
  at: (change?: { name: string; text: string; more?: string }) => string
}

/** Every GET of an OpenAPI document that answers with JSON. */
export const targetsOf = (document: OpenApiDocument): Target[] =>
  Object.entries(document.paths).flatMap(([path, { get }]) => {
    if (!get || !answersJson(get)) return []
    const parameters = get.parameters.filter((one) => one.in !== 'header')
    const at: Target['at'] = (change) => {
      const values = new Map<string, string>()
      for (const one of parameters)
        if (one.required) values.set(one.name, encodeURIComponent(wellSpelled(one.schema)))
      for (const [name, value] of Object.entries(NEEDED[path] ?? {})) values.set(name, value)
      if (change) values.set(change.name, change.text)
      const inPath = (name: string) => parameters.some((one) => one.in === 'path' && one.name === name)
      const target = path.replace(/\{(\w+)\}/g, (_match, name: string) => values.get(name)!)
      const pairs = [...values].filter(([name]) => !inPath(name)).map(([name, value]) => `${name}=${value}`)
      if (change?.more) pairs.push(change.more)
      return pairs.length > 0 ? `${target}?${pairs.join('&')}` : target
    }
    return [{ path, parameters, at }]
  })
