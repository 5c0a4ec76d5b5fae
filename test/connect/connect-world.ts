import { beforeAll } from 'vitest'
import { routes } from '../../api/routes.ts'
import { createKit, type KitSettings } from '../../db/account/kits.ts'
import { openDb } from '../../db/connect.ts'
import { startAccountWorld } from '../account/account-world.ts'
import { browse, type Page } from '../account/browse.ts'
import { type TestDatabase, testDatabase } from '../setup/database.ts'
import { activateNetworks, address } from '../setup/wallet-factories.ts'

export const APP = 'https://app.example.com'
export const WALLET = address(1)

const KIT: KitSettings = {
  name: 'Paper Hands',
  logo: null,
  appearance: 'system',
  accent: '#a0328c',
  mode: 'popup',
  origins: [APP],
  redirectUrls: [],
}
/** Changes of a kit that redirects. */
export const REDIRECTS: Partial<KitSettings> = {
  mode: 'redirect',
  origins: [],
  redirectUrls: [`${APP}/cb?from=sluice`],
}

/** An API with its pages, three networks, and helpers that walk through the screens of connect kits. */
export async function startConnectWorld(
  options: { database?: TestDatabase; overrides?: Parameters<typeof startAccountWorld>[0]['overrides'] } = {},
) {
  const { database = await testDatabase(), overrides = {} } = options
  const world = await startAccountWorld({ database, routes, overrides })
  const { api, url } = world
  const pages = openDb({ url: database.accountUrl, maxConnections: 2, applicationName: 'test' })
  beforeAll(async () => {
    await activateNetworks(api.owner, ['ethereum', 'base-wallet', 'bitcoin'])
    return () => pages.close()
  })

  const newKit = async (accountId: string, changes: Partial<KitSettings> = {}): Promise<string> =>
    (await createKit(pages.pool, { accountId, ...KIT, ...changes }))!

  /** Path of a screen of a kit. */
  const screen = (kitId: string, options: { at?: string; callback?: string; state?: string } = {}) => {
    const { at = '', callback = `${APP}/cb?from=sluice`, state } = options
    const query = new URLSearchParams({ callback, ...(state !== undefined && { state }) })
    return `/connect/${kitId}${at}?${query.toString()}`
  }

  /** Submits a screen as the browser that has opened it. */
  async function submit(path: string, fields: Record<string, string>, browser = browse(url)): Promise<Page> {
    return browser.post(path, { ...fields, csrf: await browser.csrfOf(path) })
  }

  const chooseWallet = (kitId: string, fields: { network?: string; address?: string } = {}) =>
    submit(screen(kitId, { at: '/wallet' }), { network: 'ethereum', address: WALLET, ...fields })

  const redeem = (key: string | undefined, code: unknown, headers: Record<string, string> = {}) =>
    api.get('/connect/redeem', key, {
      method: 'POST',
      body: JSON.stringify({ code }),
      headers: { 'content-type': 'application/json', ...headers },
    })

  return { ...world, database, newKit, screen, submit, chooseWallet, redeem }
}

const plain = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

/** What the last page of a popup gives to the window that opened it. */
export function resultIn({ text }: Page): { origin: string; message: Record<string, string> } | null {
  const found = /data-origin="([^"]*)"\s+data-message="([^"]*)"/.exec(text)
  return (
    found && { origin: plain(found[1]!), message: JSON.parse(plain(found[2]!)) as Record<string, string> }
  )
}
