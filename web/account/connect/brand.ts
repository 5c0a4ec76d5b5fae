import type { ConnectKit } from '../../../db/account/kits.ts'
import { html, type Html } from '../../parts/html.ts'
import type { Brand } from '../../parts/page.ts'
import { DARK, LIGHT } from '../../parts/style.ts'

type Look = Pick<ConnectKit, 'name' | 'logo' | 'appearance' | 'accent'>

const THEMES = {
  system: '',
  light: `:root { color-scheme: light; ${LIGHT} } `,
  dark: `:root { color-scheme: dark; ${DARK} } `,
}

/** Colours and logo of a kit. Links and the focus keep our colours, because an accent may be too pale for text. */
export function brandOf({ logo, appearance, accent }: Look): Brand {
  const ground = `background: ${accent}; border-color: ${accent}; color: ${readableOn(accent)}`
  return {
    css: `${THEMES[appearance]}body { max-width: 30rem } .brand { display: flex; gap: .75rem; align-items: center; padding: .75rem 0; border-bottom: .25rem solid ${accent} } .brand img { max-width: 8rem; max-height: 3rem } button:not(.plain), .button { ${ground} } .choices { display: grid; gap: .75rem } .choices .button { text-align: center } footer { margin-top: 2rem }`,
    pictures: logo !== null && logo.startsWith('https:') ? [new URL(logo).origin] : [],
  }
}

export const brandHeader = ({ name, logo }: Look): Html =>
  html`<header class="brand">
    ${logo !== null && html`<img src="${logo}" alt="" />`}<strong>${name}</strong>
  </header>`

/** Black or white, whichever has the higher contrast: at least 4.5:1 on every colour. */
function readableOn(colour: string): '#000' | '#fff' {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return luminance > 0.179 ? '#000' : '#fff'
}
