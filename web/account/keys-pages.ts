import type pg from 'pg'
import { badRequest, notFound } from '../../api/errors.ts'
import type { Route } from '../../api/route.ts'
import { openable } from '../../api/openable.ts'
import {
  type AccountKey,
  changeKey,
  createKey,
  type KeyLimits,
  listKeys,
  revokeKey,
} from '../../db/account/keys.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { parseInstant } from '../../db/values/time.ts'
import type { Form } from '../parts/form.ts'
import { day } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import type { AccountVisit } from './visit.ts'

const HOME = '/account/keys'
const NEW: KeyLimits = { name: '', readOnly: false, opens: null, expiresAt: null }

/** Pages to create, rename, restrict and revoke API keys. */
export function keysPages({ pool, routes }: { pool: pg.Pool; routes: readonly Route[] }) {
  const offered = openable(routes)
  const known = new Set([...offered.tags, ...offered.endpoints])

  function limitsOf(form: Form): KeyLimits {
    const name = form.text('name')
    if (name === '' || name.length > 100) throw badRequest('Enter a name of 1 to 100 characters.')
    const opens = form.list('opens')
    if (opens.some((item) => !known.has(item))) throw badRequest('Unknown endpoint.')
    return {
      name,
      readOnly: form.checked('readOnly'),
      expiresAt: lastDayOf(form.text('expires')),
      opens: opens.length > 0 ? opens : null,
    }
  }

  const prefixOf = ({ request }: AccountVisit) => (request.params as { prefix: string }).prefix

  return {
    list: async ({ account, csrf, flash, show }: AccountVisit) => {
      const keys = await listKeys(pool, account.accountId)
      show({
        title: 'Keys',
        body: html`${await flash()} ${keys.length === 0 && html`<p class="soft">No keys yet.</p>`}
          ${keys.map((key) => panel(key))}
          <h2>New key</h2>
          <form method="post" action="${HOME}">
            ${csrf}${fields(NEW, offered)}<button>Make a key</button>
          </form>`,
      })
    },

    create: async ({ account, form, redirect }: AccountVisit) => {
      const key = await createKey(pool, { accountId: account.accountId, ...limitsOf(form) })
      if (key === null)
        throw badRequest('The account has 100 keys, which is the maximum. Revoke one that you do not use.')
      await redirect(HOME, { message: 'Copy the new key now. It is shown only once.', secret: key })
    },

    edit: async (visit: AccountVisit) => {
      const { account, csrf, flash, show } = visit
      const prefix = prefixOf(visit)
      const key = (await listKeys(pool, account.accountId)).find((one) => one.prefix === prefix)
      if (!key) throw notFound()
      const address = `${HOME}/${prefix}`
      show({
        title: `Key ${key.name}`,
        body: html`${await flash()}
          <p><a href="${HOME}">All keys</a></p>
          <form method="post" action="${address}">${csrf}${fields(key, offered)}<button>Save</button></form>
          <h2>Revoke</h2>
          <form method="post" action="${address}/revoke">
            ${csrf}
            <p>The key stops working everywhere within 5 seconds. This cannot be undone.</p>
            <button class="bad">Revoke ${prefix}…</button>
          </form>`,
      })
    },

    change: async (visit: AccountVisit) => {
      const { account, form, redirect } = visit
      const key = { accountId: account.accountId, prefix: prefixOf(visit), ...limitsOf(form) }
      if (!(await changeKey(pool, key))) throw notFound()
      await redirect(HOME, { message: `${key.name} is saved. Changes take effect within 5 seconds.` })
    },

    revoke: async (visit: AccountVisit) => {
      const prefix = prefixOf(visit)
      if (!(await revokeKey(pool, { accountId: visit.account.accountId, prefix }))) throw notFound()
      await visit.redirect(HOME, { message: `${prefix}… is revoked.` })
    },
  }
}

function panel({ prefix, name, readOnly, opens, createdAt, expiresAt }: AccountKey): Html {
  return html`<section class="panel">
    <h2>${name}</h2>
    <dl>
      <dt>Key</dt>
      <dd><code>${prefix}…</code></dd>
      <dt>Access</dt>
      <dd>
        ${readOnly ? 'read only' : 'read and write'}, ${opens === null ? 'all endpoints' : opens.join(', ')}
      </dd>
      <dt>Created</dt>
      <dd>${day(createdAt)}</dd>
      ${
        expiresAt &&
        html`<dt>Valid until</dt>
          <dd>${lastDay(expiresAt)}, inclusive</dd>`
      }
    </dl>
    <p><a href="${HOME}/${prefix}">Change or revoke ${name}</a></p>
  </section>`
}

function fields(key: KeyLimits, { tags, endpoints }: ReturnType<typeof openable>): Html {
  const box = (value: string) => {
    const isOn = key.opens?.includes(value) === true
    return html`<label class="check"
      ><input type="checkbox" name="opens" value="${value}" ${isOn && html` checked`} /> ${value}</label
    >`
  }
  const hasEndpoint = key.opens?.some((item) => endpoints.includes(item)) === true
  return html`<label>Name <input name="name" value="${key.name}" maxlength="100" required autocomplete="off"></label>
<label>Last day (UTC; empty: never expires) <input name="expires" type="date" value="${key.expiresAt && lastDay(key.expiresAt)}"></label>
<label class="check"><input type="checkbox" name="readOnly"${key.readOnly && html` checked`}> Read only</label>
<fieldset><legend>Only these endpoints (none: all endpoints)</legend>${tags.map(box)}
<details${hasEndpoint && html` open`}><summary>Single endpoints</summary>${endpoints.map(box)}</details></fieldset>`
}

const lastDay = (end: Date): string => day(new Date(end.getTime() - 1))

/** Returns the end of the last day; null: the field is empty. */
function lastDayOf(text: string): Date | null {
  if (text === '') return null
  const start = /^\d{4}-\d\d-\d\d$/.test(text) ? parseInstant(text) : null
  if (!start) throw badRequest('Enter the last day as a date, for example 2027-01-31.')
  return new Date(start.getTime() + DAY_MS)
}
