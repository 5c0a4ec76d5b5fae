import { fitsNetworks } from '../../../api/networks.ts'
import type { NetworkRow } from '../../../db/chain/read-networks.ts'
import type { NetworkId } from '../../../db/values/networks.ts'
import type { Form } from '../../parts/form.ts'
import { html, type Html } from '../../parts/html.ts'
import { walletParam } from '../../../api/params.ts'

/** An address on a network. */
export interface Wallet {
  address: string
  network: NetworkId
}

// The account page and the pages of connect kits show the same screen.

/** Form for the address of a wallet. */
export function walletScreen(options: {
  action: string
  csrf: Html
  networks: readonly NetworkRow[]
  /** What was sent before, with what is wrong in it. */
  sent?: { address: string; network: string; problem: string }
}): Html {
  const { action, csrf, networks, sent } = options
  return html`${sent && html`<p class="panel problem" role="alert">${sent.problem}</p>`}
    <p>An address is public and opens nothing. It lets the app see what the wallet holds and did.</p>
    <form method="post" action="${action}">
      ${csrf}
      <label
        >Network
        <select name="network">
          ${networks.map(
            ({ id, name }) =>
              html`<option value="${id}" ${sent?.network === id && html` selected`}>${name}</option>`,
          )}
        </select></label
      >
      <label
        >Address
        <input
          name="address"
          value="${sent?.address}"
          maxlength="200"
          required
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
      /></label>
      <button>Connect the wallet</button>
    </form>`
}

/** Reads the form, or says what is wrong in it. */
export function readWallet(form: Form, networks: readonly NetworkRow[]): Wallet | { problem: string } {
  const network = networks.find(({ id }) => id === form.text('network'))
  const address = walletParam().safeParse(form.text('address'))
  if (!network) return { problem: 'Choose a network of the list.' }
  if (!address.success)
    return { problem: 'This is no address. Copy it from your wallet: upper and lower case matter.' }
  const id = network.id as NetworkId
  if (!fitsNetworks(address.data, [id])) return { problem: `The address is not one of ${network.name}.` }
  return { address: address.data, network: id }
}
