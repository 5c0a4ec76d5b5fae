import { badRequest, notFound } from '../../api/errors.ts'
import {
  addCredits,
  findAccounts,
  issueKey,
  type ListedAccount,
  type ListedKey,
  movePlan,
  openAccount,
  readAccount,
  readKeys,
  withdrawKey,
} from '../../db/console/accounts.ts'
import type { PlanId } from '../../db/metering/tables.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { count, counted, day, minute } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import type { Visit } from '../parts/visit.ts'

export const ACCOUNTS = '/console/accounts'
const MOST_SHOWN = 100
const PLANS: readonly PlanId[] = ['free', 'starter', 'pro', 'enterprise']
const MOST_CREDITS = 10n ** 15n

type OperatorVisit = Visit & { subject: string }

/** Accounts with their plans, credits and keys. */
export function accountPages({ db }: { db: ReadonlyDb }) {
  async function accountOf({ request }: OperatorVisit): Promise<ListedAccount> {
    const { id } = request.params as { id: string }
    const account = isUuid(id) ? await readAccount(db, id) : undefined
    if (!account) throw notFound()
    return account
  }

  return {
    list: async ({ request, csrf, flash, show }: OperatorVisit) => {
      const text = new URLSearchParams(request.url.split('?')[1]?.replaceAll('%00', '')).get('find') ?? ''
      const accounts = await findAccounts(db, { text, limit: MOST_SHOWN })
      show({
        title: 'Accounts',
        body: html`${await flash()}
          <form method="get" action="${ACCOUNTS}" class="filters">
            <label>Name or id <input name="find" value="${text}" /></label><button>Find</button>
          </form>
          ${accountTable(accounts)}
          ${accounts.length === MOST_SHOWN && html`<p class="soft">Only the newest ${MOST_SHOWN} are shown.</p>`}
          <h2>Open an account</h2>
          <form method="post" action="${ACCOUNTS}">
            ${csrf}<label>Name <input name="name" required maxlength="100" autocomplete="off" /></label>
            ${planField('free')}<button>Open it</button>
          </form>`,
      })
    },

    open: async ({ form, redirect, subject: operator }: OperatorVisit) => {
      const name = nameIn(form.text('name'))
      const { accountId } = await openAccount(db, { name, plan: planIn(form.text('plan')), operator })
      await redirect(`${ACCOUNTS}/${accountId}`, { message: `${name} is open.` })
    },

    show: async (visit: OperatorVisit) => {
      const account = await accountOf(visit)
      const keys = await readKeys(db, account.id)
      visit.show({
        title: account.name,
        body: html`${await visit.flash()} ${facts(account)} ${forms(account, visit.csrf)}
          <h2>Keys</h2>
          ${keyTable(account, keys, visit.csrf)}
          <form method="post" action="${ACCOUNTS}/${account.id}/keys">
            ${visit.csrf}<label
              >Name of the key <input name="name" required maxlength="100" autocomplete="off"
            /></label>
            <p>
              <label class="check"><input type="checkbox" name="read-only" /> Allows GET only</label>
            </p>
            <button>Create a key</button>
          </form>`,
      })
    },

    changePlan: async (visit: OperatorVisit) => {
      const { id: accountId, name } = await accountOf(visit)
      const plan = planIn(visit.form.text('plan'))
      if (!(await movePlan(db, { accountId, plan, operator: visit.subject }))) throw notFound()
      await visit.redirect(`${ACCOUNTS}/${accountId}`, { message: `${name} has the plan ${plan}.` })
    },

    topUp: async (visit: OperatorVisit) => {
      const { id: accountId } = await accountOf(visit)
      const text = visit.form.text('credits')
      if (!/^[1-9]\d{0,15}$/.test(text) || BigInt(text) > MOST_CREDITS)
        throw badRequest(`Credits are a whole number from 1 to ${MOST_CREDITS}, not "${text}".`)
      const id = visit.form.text('order')
      if (!isUuid(id)) throw badRequest('Reload the page and try again.')
      const grant = { id, accountId, credits: BigInt(text), operator: visit.subject }
      const { added, expiresAt } = await addCredits(db, grant)
      const until = `valid until ${minute(expiresAt)}`
      const message = added ? `${text} credits are added, ${until}.` : 'They were added before.'
      await visit.redirect(`${ACCOUNTS}/${accountId}`, { message })
    },

    createKey: async (visit: OperatorVisit) => {
      const { id: accountId } = await accountOf(visit)
      const name = nameIn(visit.form.text('name'))
      const readOnly = visit.form.checked('read-only')
      const issued = await issueKey(db, { accountId, name, readOnly, operator: visit.subject })
      if (!issued) throw notFound()
      await visit.redirect(`${ACCOUNTS}/${accountId}`, {
        message: 'The key is created. It is shown only once.',
        secret: issued.key,
      })
    },

    revokeKey: async (visit: OperatorVisit) => {
      const { id: accountId } = await accountOf(visit)
      const { prefix } = visit.request.params as { prefix: string }
      if ((await withdrawKey(db, { accountId, prefix, operator: visit.subject })) === 0) throw notFound()
      await visit.redirect(`${ACCOUNTS}/${accountId}`, {
        message: `${prefix} is revoked, and stops working within 5 seconds.`,
      })
    },
  }
}

function nameIn(text: string): string {
  if (text === '' || text.length > 100 || text === 'closed' || /\p{Cc}/u.test(text))
    throw badRequest('Enter a name of at most 100 characters.')
  return text
}

function planIn(text: string): PlanId {
  const plan = PLANS.find((one) => one === text)
  if (!plan) throw badRequest('Choose a plan.')
  return plan
}

const planField = (chosen: PlanId): Html =>
  html`<label
    >Plan
    <select name="plan">
      ${PLANS.map((plan) => html`<option ${plan === chosen && html` selected`}>${plan}</option>`)}
    </select></label
  >`

function creditsOf({ granted, posted }: ListedAccount): string {
  return granted === null ? '–' : `${count(Number(posted))} of ${count(Number(granted))}`
}

function accountTable(accounts: readonly ListedAccount[]): Html {
  if (accounts.length === 0) return html`<p class="soft">No account fits.</p>`
  return table({
    label: 'Accounts',
    columns: ['Account', 'Plan', 'Used this period', 'Opened'],
    numbers: ['Used this period'],
    rows: accounts.map((account) => [
      html`<a href="${ACCOUNTS}/${account.id}">${account.name}</a>`,
      account.plan,
      creditsOf(account),
      day(account.createdAt),
    ]),
  })
}

const facts = (account: ListedAccount): Html =>
  html`<dl class="panel">
    <dt>Id</dt>
    <dd><code>${account.id}</code></dd>
    <dt>Plan</dt>
    <dd>
      ${account.plan}: ${counted(Number(account.creditsPerMonth), 'credit')} a month,
      ${account.requestsPerSecond} requests a second
    </dd>
    <dt>Credits used this period</dt>
    <dd>${creditsOf(account)}${account.endsAt && html`, which ends ${minute(account.endsAt)}`}</dd>
    <dt>Shares portfolios</dt>
    <dd>${account.degen ? 'yes' : 'no'}</dd>
  </dl>`

/** The id of the order makes a form that is sent twice add once. */
const forms = ({ id, plan }: ListedAccount, csrf: Html): Html =>
  html`<form method="post" action="${ACCOUNTS}/${id}/plan">
      ${csrf}${planField(plan)}<button>Change the plan</button>
    </form>
    <form method="post" action="${ACCOUNTS}/${id}/top-up">
      ${csrf}<input type="hidden" name="order" value="${crypto.randomUUID()}" />
      <label>Credits <input name="credits" inputmode="numeric" required pattern="[0-9]+" /></label>
      <button>Add credits</button>
    </form>`

function keyTable({ id }: ListedAccount, keys: readonly ListedKey[], csrf: Html): Html {
  if (keys.length === 0) return html`<p class="soft">No keys yet.</p>`
  return table({
    label: 'Keys',
    columns: ['Key', 'Name', 'Allows', 'Created', 'State', 'Actions'],
    rows: keys.map(({ prefix, name, readOnly, createdAt, expiresAt, revokedAt }) => [
      html`<code>${prefix}…</code>`,
      name,
      readOnly ? 'GET' : 'all',
      day(createdAt),
      revokedAt ? `revoked ${day(revokedAt)}` : expiresAt ? `until ${minute(expiresAt)}` : 'without an end',
      !revokedAt &&
        html`<form method="post" action="${ACCOUNTS}/${id}/keys/${encodeURIComponent(prefix)}/revoke">
          ${csrf}<button class="plain" aria-label="Revoke ${prefix}">Revoke</button>
        </form>`,
    ]),
  })
}
