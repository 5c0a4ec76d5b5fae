import { time } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'

/** A part of a page that `live.js` keeps up to date. */
export const live = (id: string, content: Html): Html => html`<div id="${id}" data-live>${content}</div>`

/** Shows when the page was made and whether it updates itself. */
export const liveSign = (now: Date, { everySeconds }: { everySeconds: number }): Html =>
  html`<p class="soft wide">
    <span id="as-of" data-live>As of ${time(now)}.</span>
    <span data-every="${everySeconds}">Reload for newer figures.</span>
  </p>`
