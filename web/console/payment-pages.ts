import { badRequest, notFound } from '../../api/errors.ts'
import { type ListedPayment, noteRefund, readPayments } from '../../db/console/refunds.ts'
import type { PaymentState } from '../../db/payments/tables.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { usdcOf } from '../../db/values/usdc.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { minute } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import type { Visit } from '../parts/visit.ts'

export const PAYMENTS = '/console/payments'
const MOST_SHOWN = 50
const LONGEST_NOTE = 500
const STATES: readonly PaymentState[] = ['settled', 'unknown', 'lost', 'failed', 'settling', 'claimed']

type OperatorVisit = Visit & { subject: string }

/** The newest payments, and notes of refunds by hand. */
export function paymentPages({ db }: { db: ReadonlyDb }) {
  return {
    list: async ({ request, csrf, flash, show }: OperatorVisit) => {
      const asked = new URLSearchParams(request.url.split('?')[1]).get('state')
      const state = STATES.find((one) => one === asked) ?? null
      const payments = await readPayments(db, { state, limit: MOST_SHOWN })
      show({
        title: 'Payments',
        body: html`${await flash()}
          <form method="get" action="${PAYMENTS}" class="filters">
            <label
              >State
              <select name="state">
                <option value="">all</option>
                ${STATES.map((one) => html`<option ${one === state && html` selected`}>${one}</option>`)}
              </select></label
            ><button>Show</button>
          </form>
          ${paymentTable(payments)}
          <h2>Note a refund</h2>
          <p>
            The gateway refunds nothing by itself. Note here what you gave back by hand, so that nobody does
            it twice.
          </p>
          <form method="post" action="${PAYMENTS}/refund">
            ${csrf}<label>Payment <input name="payment" required maxlength="36" autocomplete="off" /></label>
            <label
              >Note
              <input name="note" required maxlength="${LONGEST_NOTE}" autocomplete="off" />
              <span class="small soft">Such as the transaction that gave it back</span></label
            >
            <button>Note it</button>
          </form>`,
      })
    },

    refund: async ({ form, redirect, subject: operator }: OperatorVisit) => {
      const paymentId = form.text('payment')
      const note = form.text('note')
      if (note === '' || note.length > LONGEST_NOTE || /\p{Cc}/u.test(note))
        throw badRequest(`Enter a note of at most ${LONGEST_NOTE} characters.`)
      if (!isUuid(paymentId)) throw badRequest(`"${paymentId}" is no id of a payment.`)
      if (!(await noteRefund(db, { paymentId, note, operator }))) throw notFound()
      await redirect(PAYMENTS, { message: 'The refund is noted.' })
    },
  }
}

function paymentTable(payments: readonly ListedPayment[]): Html {
  if (payments.length === 0) return html`<p class="soft">No payments.</p>`
  return html`${table({
    label: 'Payments',
    columns: ['Payment', 'State', 'USDC', 'Claimed', 'Notes'],
    numbers: ['USDC'],
    rows: payments.map(({ id, state, amount, claimedAt, lastError, notes }) => [
      html`<code>${id}</code>`,
      html`${state} ${lastError !== null && html`<span class="soft">${lastError}</span>`}`,
      usdcOf(BigInt(amount)),
      minute(claimedAt),
      notes.length === 0 ? '–' : notes.join('; '),
    ]),
  })}
  ${payments.length === MOST_SHOWN && html`<p class="soft">Only the newest ${MOST_SHOWN} are shown.</p>`}`
}
