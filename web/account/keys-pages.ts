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

/** API keys: make, name, restrict, revoke. */
export function keysPages({ pool, routes }: { pool: pg.Pool; routes: readonly Route[] }) {
  const offered = openable(routes)
  const known = new Set([...offered.tags, ...offered.endpoints])

  function limitsOf(form: Form): KeyLimits {
    const name = form.text('name')
    if (name === '' || name.length > 100) throw badRequest('A key has a name of 1 to 100 characters.')
    const opens = form.list('opens')
    if (opens.some((item) => !known.has(item))) throw badRequest('There is no such endpoint.')
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
        body: html`${await flash()} ${keys.length === 0 && html`<p class="soft">There is no key yet.</p>`}
          ${keys.map((key) => panel(key))}
          <h2>New key</h2>
          <form method="post" action="${HOME}">
            ${csrf}${fields(NEW, offered)}<button>Make a key</button>
          </form>`,
      })
    },

    create: async ({ account, form, redirect }: AccountVisit) => {
      const key = await createKey(pool, { accountId: account.accountId, ...limitsOf(form) })
      if (key === null) throw badRequest('The account has 100 keys. Revoke one that is not used.')
      await redirect(HOME, { message: 'The new key. It is shown this once: copy it now.', secret: key })
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
            <p>Dead everywhere within 5 seconds, and for good.</p>
            <button class="bad">Revoke ${prefix}…</button>
          </form>`,
      })
    },

    change: async (visit: AccountVisit) => {
      const { account, form, redirect } = visit
      const key = { accountId: account.accountId, prefix: prefixOf(visit), ...limitsOf(form) }
      if (!(await changeKey(pool, key))) throw notFound()
      await redirect(HOME, { message: `${key.name} is saved. It holds within 5 seconds.` })
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
    <h3>${name}</h3>
    <dl>
      <dt>Key</dt>
      <dd><code>${prefix}…</code></dd>
      <dt>Opens</dt>
      <dd>
        ${readOnly ? 'reading' : 'reading and writing'}, ${opens === null ? 'everything' : opens.join(', ')}
      </dd>
      <dt>Made</dt>
      <dd>${day(createdAt)}</dd>
      ${
        expiresAt &&
        html`<dt>Until</dt>
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
<label>Last day (UTC; empty: without end) <input name="expires" type="date" value="${key.expiresAt && lastDay(key.expiresAt)}"></label>
<label class="check"><input type="checkbox" name="readOnly"${key.readOnly && html` checked`}> Reads only</label>
<fieldset><legend>Opens these alone (none: everything)</legend>${tags.map(box)}
<details${hasEndpoint && html` open`}><summary>Single endpoints</summary>${endpoints.map(box)}</details></fieldset>`
}

const lastDay = (end: Date): string => day(new Date(end.getTime() - 1))

/** The end of a last day; an empty field is none. */
function lastDayOf(text: string): Date | null {
  if (text === '') return null
  const start = /^\d{4}-\d\d-\d\d$/.test(text) ? parseInstant(text) : null
  if (!start) throw badRequest('The last day is a date, for example 2027-01-31.')
  return new Date(start.getTime() + DAY_MS)
}
