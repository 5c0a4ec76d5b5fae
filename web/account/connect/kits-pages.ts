import type pg from 'pg'
import { badRequest, notFound } from '../../../api/errors.ts'
import { changeKit, createKit, type KitSettings, listKits, removeKit } from '../../../db/account/kits.ts'
import { isUuid } from '../../../db/values/uuid.ts'
import { html, type Html } from '../../parts/html.ts'
import type { AccountVisit } from '../visit.ts'
import { APPEARANCES, MODES, readKitSettings } from './kit-settings.ts'

const HOME = '/account/kits'
const NEW: KitSettings = {
  name: '',
  logo: null,
  appearance: 'system',
  accent: '#0b57d0',
  mode: 'popup',
  origins: [],
  redirectUrls: [],
}

/** Pages to create, change and remove connect kits. */
export function kitsPages({ pool, url }: { pool: pg.Pool; url: string }) {
  const keyOf = ({ account, request }: AccountVisit) => {
    const { id } = request.params as { id: string }
    if (!isUuid(id)) throw notFound()
    return { accountId: account.accountId, id }
  }

  return {
    list: async ({ account, csrf, flash, show }: AccountVisit) => {
      const kits = await listKits(pool, account.accountId)
      show({
        title: 'Connect kits',
        body: html`${await flash()}
          <p>
            With a connect kit the users of your app connect wallets and exchange accounts to this account, on
            a page with your name and colours. Your app gets a portfolio id and a one-time code, and never
            sees their keys.
          </p>
          ${kits.length === 0 && html`<p class="soft">No connect kits yet.</p>`}
          ${kits.map(
            ({ id, name, mode, origins, redirectUrls }) =>
              html`<section class="panel">
                <h2>${name}</h2>
                <dl>
                  <dt>Kit id</dt>
                  <dd><code>${id}</code></dd>
                  <dt>Script</dt>
                  <dd><code>${url}/connect/${id}/connect.js</code></dd>
                  <dt>Mode</dt>
                  <dd>${mode}</dd>
                  <dt>${mode === 'popup' ? 'Trusted origins' : 'Redirect URLs'}</dt>
                  <dd>${(mode === 'popup' ? origins : redirectUrls).join(', ')}</dd>
                </dl>
                <p><a href="${HOME}/${id}">Change or remove ${name}</a></p>
              </section>`,
          )}
          <h2>New connect kit</h2>
          <form method="post" action="${HOME}">
            ${csrf}${fields(NEW)}<button>Make a connect kit</button>
          </form>`,
      })
    },

    create: async ({ account, form, redirect }: AccountVisit) => {
      const id = await createKit(pool, { accountId: account.accountId, ...readKitSettings(form) })
      if (id === null)
        throw badRequest(
          'The account has 20 connect kits, which is the maximum. Remove one that you do not use.',
        )
      await redirect(HOME, { message: 'The connect kit is made. Its id is public.' })
    },

    edit: async (visit: AccountVisit) => {
      const { csrf, flash, show } = visit
      const { accountId, id } = keyOf(visit)
      const kit = (await listKits(pool, accountId)).find((one) => one.id === id)
      if (!kit) throw notFound()
      const address = `${HOME}/${id}`
      show({
        title: `Connect kit ${kit.name}`,
        body: html`${await flash()}
          <p><a href="${HOME}">All connect kits</a></p>
          <form method="post" action="${address}">${csrf}${fields(kit)}<button>Save</button></form>
          <h2>Remove</h2>
          <form method="post" action="${address}/remove">
            ${csrf}
            <p>
              Apps with this kit id can no longer connect anything. What their users have connected stays.
              This cannot be undone.
            </p>
            <button class="bad">Remove ${kit.name}</button>
          </form>`,
      })
    },

    change: async (visit: AccountVisit) => {
      const kit = { ...keyOf(visit), ...readKitSettings(visit.form) }
      if (!(await changeKit(pool, kit))) throw notFound()
      await visit.redirect(HOME, { message: `${kit.name} is saved.` })
    },

    remove: async (visit: AccountVisit) => {
      if (!(await removeKit(pool, keyOf(visit)))) throw notFound()
      await visit.redirect(HOME, { message: 'The connect kit is removed.' })
    },
  }
}

function fields(kit: KitSettings): Html {
  return html`<label
      >Name of your app <input name="name" value="${kit.name}" maxlength="100" required autocomplete="off"
    /></label>
    <label
      >Logo (an https or data: address; empty: none)
      <input name="logo" value="${kit.logo}" autocomplete="off"
    /></label>
    ${select({ label: 'Appearance', name: 'appearance', values: APPEARANCES, chosen: kit.appearance })}
    <label>Accent colour <input name="accent" value="${kit.accent}" type="color" required /></label>
    ${select({ label: 'Mode', name: 'mode', values: MODES, chosen: kit.mode })}
    <label
      >Trusted origins, one in each line (for popups)
      <textarea name="origins" rows="3" spellcheck="false">${kit.origins.join('\n')}</textarea>
    </label>
    <label
      >Redirect URLs, one in each line (compared whole)
      <textarea name="redirectUrls" rows="3" spellcheck="false">${kit.redirectUrls.join('\n')}</textarea>
    </label>`
}

function select(options: { label: string; name: string; values: readonly string[]; chosen: string }): Html {
  const { label, name, values, chosen } = options
  return html`<label
    >${label}
    <select name="${name}">
      ${values.map((value) => html`<option ${value === chosen && html` selected`}>${value}</option>`)}
    </select></label
  >`
}
