import { expect } from 'vitest'
import { inviteUser } from '../../db/console/users.ts'
import type { startAccountWorld } from './account-world.ts'
import { browse } from './browse.ts'

export const USER_PASSWORD = 'correct horse battery'

type World = Awaited<ReturnType<typeof startAccountWorld>>
export type Browser = ReturnType<typeof browse>

/** Users of the embedded provider, made as operators and they themselves make them. */
export function usersWorld({ api, url, issuer, signIn }: World) {
  let count = 0

  /** Invites a user to a new account. */
  async function invite({ seesConsole = false } = {}) {
    const { accountId } = await api.newAccount()
    const name = `user${++count}`
    const token = (await inviteUser(api.owner, { name, accountId, seesConsole, issuer, operator: 'test' }))!
    return { name, token, accountId, link: `${issuer}/invitation/${token}` }
  }

  const choose = (link: string, password = USER_PASSWORD, again = password) =>
    browse(issuer).post(link, { password, again })

  /** A user with a password. */
  async function newUser(options: { seesConsole?: boolean } = {}) {
    const invited = await invite(options)
    expect((await choose(invited.link)).status).toBe(200)
    return invited
  }

  /** Begins a sign-in and returns the address of its form. */
  async function begin(browser: Browser, to = 'account'): Promise<string> {
    const atIssuer = await browser.get(
      (await browser.get(`/account/sign-in?to=${to}&prompt=login`)).location!,
    )
    return new URL(atIssuer.location!, issuer).href
  }

  /** Signs in with name and password. `landed`: the page after it, which may ask for a code. */
  async function withPassword(name: string, to = 'account') {
    const browser = browse(url)
    const form = await begin(browser, to)
    const answer = await browser.post(form, { user: name, password: USER_PASSWORD })
    return { browser, form, landed: await browser.follow(answer, issuer) }
  }

  /** Opens the page where users set how they sign in. `act` posts one of its forms. */
  async function settingsOf(name: string) {
    const { browser, landed } = await withPassword(name, 'security')
    expect([landed.status, landed.text]).toEqual([200, expect.stringContaining(`You are ${name}`)])
    const at = (path: string) => `${issuer}/security${path}`
    const act = async (path: string, fields: Record<string, string> = {}, from = '') => {
      const answer = await browser.post(at(path), { ...fields, csrf: await browser.csrfOf(at(from)) })
      return browser.follow(answer, issuer)
    }
    return { browser, at, act, text: landed.text }
  }

  return { invite, choose, newUser, begin, withPassword, settingsOf, signIn }
}
