import { badRequest } from '../../api/errors.ts'
import { isUuid } from '../../db/values/uuid.ts'
import type { Form } from '../parts/form.ts'
import { html, type Html } from '../parts/html.ts'

interface AlertFormsOptions {
  action: string
  csrf: Html
  portfolios: readonly { id: string; name: string }[]
  endpoints: readonly { id: string; url: string }[]
}

const HOUR_S = 3_600
const MINUTE_S = 60

/** A number of a form, as people see it named, and its bounds. */
interface NumberField {
  name: string
  label: string
  least: number
  most: number
  isWhole?: boolean
}

const PRICE: NumberField = { name: 'limit', label: 'Number', least: 1e-18, most: 1e18 }
const PRICE_CHANGE: NumberField = { name: 'limit', label: 'Number', least: 1, most: 10_000 }
const HOURS: NumberField = {
  name: 'hours',
  label: 'Hours in which it moves by percent',
  least: 1,
  most: 168,
  isWhole: true,
}
const VALUE_CHANGE: NumberField = {
  name: 'limit',
  label: 'Fires when the value moves by percent',
  least: 0.5,
  most: 10_000,
}
const MINUTES: NumberField = {
  name: 'minutes',
  label: 'Minutes between two events at least',
  least: 1,
  most: 10_080,
  isWhole: true,
}
const PROBABILITY: NumberField = { name: 'limit', label: 'Probability', least: 0.01, most: 0.99 }

const COIN = 'Coin id, such as bitcoin'
const MARKET = 'Id of the market'
const COIN_CONDITIONS = {
  above: 'rises to USD',
  below: 'falls to USD',
  changePercent: 'moves by percent',
} as const
const MARKET_CONDITIONS = {
  above: 'Yes rises to the probability',
  below: 'Yes falls to the probability',
  resolved: 'it is resolved',
} as const

/** A form for each kind of alert. They need no scripts. */
export function alertForms({ action, csrf, portfolios, endpoints }: AlertFormsOptions): Html {
  const form = (kind: string, fields: Html) =>
    html`<form method="post" action="${action}">
      ${csrf}<input type="hidden" name="kind" value="${kind}" />${fields} ${endpointField(endpoints)}
      <button>Add the alert</button>
    </form>`
  return html`<h3>Price of a coin</h3>
    ${form(
      'coin',
      html`<label>${COIN} <input name="coinId" required autocapitalize="none" /></label>
        <label
          >Fires when the price
          <select name="when">
            ${options(COIN_CONDITIONS)}
          </select></label
        >
        ${numberField({ ...PRICE, least: 0 })} ${numberField(HOURS, 24)}`,
    )}
    <h3>Value of a portfolio</h3>
    ${
      portfolios.length === 0
        ? html`<p class="soft">There is no portfolio.</p>`
        : form(
            'portfolio',
            html`<label
                >Portfolio
                <select name="portfolioId">
                  ${portfolios.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}
                </select></label
              >
              ${numberField(VALUE_CHANGE)} ${numberField(MINUTES, 60)}`,
          )
    }
    <h3>Prediction market</h3>
    ${form(
      'market',
      html`<label>${MARKET} <input name="marketId" required inputmode="numeric" /></label>
        <label
          >Fires when
          <select name="when">
            ${options(MARKET_CONDITIONS)}
          </select></label
        >
        ${numberField(PROBABILITY, 0.5)}`,
    )}`
}

const options = (conditions: Record<string, string>) =>
  Object.entries(conditions).map(([value, text]) => html`<option value="${value}">${text}</option>`)

const numberField = ({ name, label, least, most, isWhole }: NumberField, value?: number) =>
  html`<label
    >${label}
    <input
      name="${name}"
      type="number"
      min="${least}"
      max="${most}"
      step="${isWhole ? 1 : 'any'}"
      ${value !== undefined && html`value="${value}"`}
      required
  /></label>`

const endpointField = (endpoints: AlertFormsOptions['endpoints']) =>
  endpoints.length > 0 &&
  html`<label
    >Webhook
    <select name="endpointId">
      <option value="">every one that has the type</option>
      ${endpoints.map(({ id, url }) => html`<option value="${id}">${url}</option>`)}
    </select></label
  >`

/** The fields of POST /alerts that a submitted form states. Throws 400 with the label of the field that is wrong. */
export function readAlertForm(form: Form): Record<string, unknown> {
  const endpointId = form.text('endpointId')
  if (endpointId !== '' && !isUuid(endpointId)) throw refused('Webhook', 'Choose one of the list')
  return { ...ruleOf(form), ...(endpointId !== '' && { endpointId }) }
}

function ruleOf(form: Form): Record<string, unknown> {
  const { text } = form
  switch (text('kind')) {
    case 'coin': {
      const when = conditionOf(form, COIN_CONDITIONS, 'Fires when the price')
      const type = 'coin.price'
      const coinId = filledIn(form, 'coinId', COIN)
      if (when !== 'changePercent') return { type, coinId, [when]: numberOf(form, PRICE) }
      const windowSeconds = numberOf(form, HOURS) * HOUR_S
      return { type, coinId, changePercent: numberOf(form, PRICE_CHANGE), windowSeconds }
    }
    case 'portfolio':
      return {
        type: 'portfolio.value',
        portfolioId: filledIn(form, 'portfolioId', 'Portfolio'),
        changePercent: numberOf(form, VALUE_CHANGE),
        everySeconds: numberOf(form, MINUTES) * MINUTE_S,
      }
    case 'market': {
      const marketId = filledIn(form, 'marketId', MARKET)
      const when = conditionOf(form, MARKET_CONDITIONS, 'Fires when')
      if (when === 'resolved') return { type: 'market.resolved', marketId }
      return { type: 'market.price', marketId, [when]: numberOf(form, PROBABILITY) }
    }
    default:
      throw badRequest()
  }
}

const refused = (label: string, reason: string) => badRequest(`${label}: ${reason}.`)

function numberOf(form: Form, { name, label, least, most, isWhole = false }: NumberField): number {
  const text = form.text(name)
  const value = text === '' ? NaN : Number(text)
  // NaN is in no range.
  if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return value
  throw refused(label, `It must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}`)
}

function filledIn(form: Form, name: string, label: string): string {
  const text = form.text(name)
  // The longest id that the API takes.
  if (text === '' || text.length > 200) throw refused(label, 'It must have 1 to 200 characters')
  return text
}

function conditionOf<Condition extends string>(
  form: Form,
  conditions: Record<Condition, string>,
  label: string,
): Condition {
  const when = form.text('when')
  if (!Object.hasOwn(conditions, when)) throw refused(label, 'Choose one of the list')
  return when as Condition
}
