import { badRequest, notFound } from '../../api/errors.ts'
import {
  inviteUser,
  invitationUrl,
  isUserName,
  readAccounts,
  readUsers,
  resetUser,
  setUserEnabled,
  type User,
} from '../../db/console/users.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { minute } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import type { Visit } from '../parts/visit.ts'

export const USERS = '/console/users'

type OperatorVisit = Visit & { subject: string }

/** Who signs in at the embedded OpenID provider. `issuer`: its address. */
export function usersPages({ db, issuer }: { db: ReadonlyDb; issuer: string }) {
  const nameOf = ({ request }: OperatorVisit) => (request.params as { name: string }).name
  const COPY = 'Send this link to the user. It works once and for three days, and is shown only once.'

  const setEnabled = (enabled: boolean) => async (visit: OperatorVisit) => {
    const name = nameOf(visit)
    if (!(await setUserEnabled(db, { name, enabled, operator: visit.subject }))) throw notFound()
    await visit.redirect(USERS, {
      message: enabled ? `${name} can sign in again.` : `${name} is signed out and refused.`,
    })
  }

  return {
    list: async ({ csrf, flash, show }: OperatorVisit) => {
      const [users, accounts] = await Promise.all([readUsers(db), readAccounts(db)])
      show({
        title: 'Users',
        body: html`${await flash()} ${usersTable(users, csrf)}
          <h2>Invite a user</h2>
          <form method="post" action="${USERS}">
            ${csrf}
            <label
              >Name
              <input
                name="name"
                required
                maxlength="64"
                pattern="[a-z0-9][a-z0-9._@+\\-]*"
                autocomplete="off"
              />
              <span class="small soft">Small letters, digits and . _ @ + -</span></label
            >
            <label
              >Account
              <select name="account">
                <option value="">none</option>
                ${accounts.map(({ id, name, plan }) => html`<option value="${id}">${name} (${plan})</option>`)}
              </select></label
            >
            <p>
              <label class="check"><input type="checkbox" name="console" /> Sees this console</label>
            </p>
            <button>Make a link</button>
          </form>`,
      })
    },

    invite: async ({ form, redirect, subject }: OperatorVisit) => {
      const name = form.text('name')
      if (!isUserName(name))
        throw badRequest(
          'Enter a name of at most 64 small letters, digits and . _ @ + -, a letter or digit first.',
        )
      const accountId = form.text('account') || null
      const seesConsole = form.checked('console')
      if (accountId === null && !seesConsole) throw badRequest('Choose an account, the console or both.')
      if (accountId !== null && !(await readAccounts(db)).some(({ id }) => id === accountId))
        throw badRequest('There is no such account.')
      const token = await inviteUser(db, { name, accountId, seesConsole, issuer, operator: subject })
      if (token === null) throw badRequest(`There is a user ${name}. Reset it to get a new link.`)
      await redirect(USERS, { message: `${name} is invited. ${COPY}`, secret: invitationUrl(issuer, token) })
    },

    reset: async (visit: OperatorVisit) => {
      const name = nameOf(visit)
      const token = await resetUser(db, { name, operator: visit.subject })
      if (token === null) throw notFound()
      await visit.redirect(USERS, {
        message: `${name} is reset and signed out. ${COPY}`,
        secret: invitationUrl(issuer, token),
      })
    },

    disable: setEnabled(false),
    enable: setEnabled(true),
  }
}

function usersTable(users: readonly User[], csrf: Html): Html {
  if (users.length === 0) return html`<p class="soft">No users yet.</p>`
  return table({
    label: 'Users',
    columns: ['Name', 'Account', 'Console', 'State', 'Last sign-in', 'Actions'],
    rows: users.map((user) => {
      const { name, account, seesConsole, signedInAt, disabledAt } = user
      const button = (action: string, text: string) =>
        html`<form method="post" action="${USERS}/${name}/${action}">
          ${csrf}<button class="plain" aria-label="${text} ${name}">${text}</button>
        </form>`
      return [
        name,
        account ?? '–',
        seesConsole ? 'yes' : 'no',
        stateOf(user),
        signedInAt ? minute(signedInAt) : 'never',
        html`<div class="row">
          ${disabledAt ? button('enable', 'Enable') : button('disable', 'Disable')}
          ${button('reset', 'Reset')}
        </div>`,
      ]
    }),
  })
}

function stateOf({ disabledAt, hasPassword, hasTotp, invitedUntil }: User): string {
  if (disabledAt) return `disabled since ${minute(disabledAt)}`
  if (hasPassword) return hasTotp ? 'active, with an app' : 'active'
  return invitedUntil ? `invited until ${minute(invitedUntil)}` : 'the link has expired: reset it'
}
