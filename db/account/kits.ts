import { randomUUID } from 'node:crypto'
import type pg from 'pg'

// Role `account` may execute these functions but reads no table.

/** What the owner of a connect kit decides. */
export interface KitSettings {
  /** The brand that users see. */
  name: string
  /** An https: or data: URL. */
  logo: string | null
  appearance: 'system' | 'light' | 'dark'
  /** #rrggbb */
  accent: string
  mode: 'popup' | 'redirect'
  /** Origins whose windows get the result of a popup. */
  origins: string[]
  /** URLs to which a redirect may lead. */
  redirectUrls: string[]
}

export interface ConnectKit extends KitSettings {
  /** Public. */
  id: string
}

const KIT = 'id, name, logo, appearance, accent, mode, origins, redirect_urls as "redirectUrls"'

/** Lists connect kits, newest first. */
export async function listKits(pool: pg.Pool, accountId: string): Promise<ConnectKit[]> {
  const { rows } = await pool.query<ConnectKit>(`select ${KIT} from account_kits($1)`, [accountId])
  return rows
}

/** Creates a kit and returns its id. null: the account has too many. */
export async function createKit(
  pool: pg.Pool,
  { accountId, ...settings }: KitSettings & { accountId: string },
): Promise<string | null> {
  // Random, so that the id tells nobody when it was made.
  const id = randomUUID()
  return (await call(pool, 'create_account_kit', [accountId, id, ...valuesOf(settings)])) ? id : null
}

/** False: the account has no such kit. */
export function changeKit(
  pool: pg.Pool,
  { accountId, id, ...settings }: ConnectKit & { accountId: string },
): Promise<boolean> {
  return call(pool, 'change_account_kit', [accountId, id, ...valuesOf(settings)])
}

/** False: the account has no such kit. */
export function removeKit(
  pool: pg.Pool,
  { accountId, id }: { accountId: string; id: string },
): Promise<boolean> {
  return call(pool, 'revoke_account_kit', [accountId, id])
}

const valuesOf = (kit: KitSettings) => [
  kit.name,
  kit.logo,
  kit.appearance,
  kit.accent,
  kit.mode,
  kit.origins,
  kit.redirectUrls,
]

async function call(pool: pg.Pool, name: string, values: readonly unknown[]): Promise<boolean> {
  const places = values.map((_, index) => `$${index + 1}`).join(', ')
  const { rows } = await pool.query<{ done: boolean }>(`select ${name}(${places}) as done`, [...values])
  return rows[0]!.done
}
