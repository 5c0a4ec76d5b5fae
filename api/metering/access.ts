import { AsyncLocalStorage } from 'node:async_hooks'
import type { Route } from '../route.ts'
import type { Admitted } from './admission.ts'

/** The routes that a key or bearer token may call, and the account that pays. */
export interface Access {
  accountId: string
  /** May call GET. */
  reads: boolean
  /** May call PATCH, POST and DELETE. */
  writes: boolean
  /** Allowed tags ('Coins') and endpoints ('GET /coins/{coinId}'); null: all. */
  opens: readonly string[] | null
}

/** An admitted request with the access of its credential. */
export interface Authorized extends Admitted {
  access: Access
}

/**
 * Access of the calls that a page of this process makes for a client whose credential it has checked itself. No request
 * from outside can set it.
 */
export const vouchedAccess = new AsyncLocalStorage<Access>()

export function permits(
  { reads, writes, opens }: Access,
  { method, path, tag }: Pick<Route, 'method' | 'path' | 'tag'>,
): boolean {
  if (!(method === 'GET' ? reads : writes)) return false
  return opens === null || opens.includes(tag) || opens.includes(`${method} ${path}`)
}
