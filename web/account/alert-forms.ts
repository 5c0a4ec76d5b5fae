import { badRequest } from '../../api/errors.ts'
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
      html`<label>Coin id, such as bitcoin <input name="coinId" required autocapitalize="none" /></label>
        <label
          >Fires when the price
          <select name="when">
            <option value="above">rises to USD</option>
            <option value="below">falls to USD</option>
            <option value="changePercent">moves by percent</option>
          </select></label
        >
        ${numberField('limit', 'Number')}
        <label
          >Hours in which it moves by percent
          <input name="hours" type="number" min="1" max="168" value="24" required
        /></label>`,
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
              ${numberField('limit', 'Fires when the value moves by percent', '0.5')}
              <label
                >Minutes between two events at least
                <input name="minutes" type="number" min="1" max="10080" value="60" required
              /></label>`,
          )
    }
    <h3>Prediction market</h3>
    ${form(
      'market',
      html`<label>Id of the market <input name="marketId" required inputmode="numeric" /></label>
        <label
          >Fires when
          <select name="when">
            <option value="above">Yes rises to the probability</option>
            <option value="below">Yes falls to the probability</option>
            <option value="resolved">it is resolved</option>
          </select></label
        >
        <label
          >Probability, 0.01 to 0.99
          <input name="limit" type="number" min="0.01" max="0.99" step="any" value="0.5" required
        /></label>`,
    )}`
}

const numberField = (name: string, label: string, min = '0') =>
  html`<label>${label} <input name="${name}" type="number" min="${min}" step="any" required /></label>`

const endpointField = (endpoints: AlertFormsOptions['endpoints']) =>
  endpoints.length > 0 &&
  html`<label
    >Webhook
    <select name="endpointId">
      <option value="">every one that has the type</option>
      ${endpoints.map(({ id, url }) => html`<option value="${id}">${url}</option>`)}
    </select></label
  >`

/** The fields of POST /alerts that a submitted form states. Throws 400 for a form that no page has. */
export function readAlertForm(form: Form): Record<string, unknown> {
  const endpointId = form.text('endpointId')
  return { ...ruleOf(form), ...(endpointId !== '' && { endpointId }) }
}

function ruleOf(form: Form): Record<string, unknown> {
  const { text } = form
  const number = (name: string, unit = 1) => Number(text(name)) * unit
  const [when, limit] = [text('when'), number('limit')]
  switch (text('kind')) {
    case 'coin': {
      const type = 'coin.price'
      const moves = when === 'changePercent' && { windowSeconds: number('hours', HOUR_S) }
      return { type, coinId: text('coinId'), [when]: limit, ...moves }
    }
    case 'portfolio':
      return {
        type: 'portfolio.value',
        portfolioId: text('portfolioId'),
        changePercent: limit,
        everySeconds: number('minutes', MINUTE_S),
      }
    case 'market': {
      const marketId = text('marketId')
      if (when === 'resolved') return { type: 'market.resolved', marketId }
      return { type: 'market.price', marketId, [when]: limit }
    }
    default:
      throw badRequest()
  }
}
