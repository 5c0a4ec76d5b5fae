import { html, type Html } from '../parts/html.ts'

const LEAST = 12
const MOST = 200

/** Fields for a password that is chosen, and the same again. */
export const passwordFields = (label: string): Html =>
  html`<label
      >${label}, ${LEAST} characters or more
      <input
        name="password"
        type="password"
        autocomplete="new-password"
        minlength="${LEAST}"
        maxlength="${MOST}"
        required
    /></label>
    <label>The same again <input name="again" type="password" autocomplete="new-password" required /></label>`

/** What is wrong with a password that was chosen; null: nothing. */
export function problemWith(given: { name: string; password: string; again: string }): string | null {
  const { name, password, again } = given
  if (password.length < LEAST || password.length > MOST)
    return `The password must have ${LEAST} to ${MOST} characters.`
  if (password.toLowerCase().includes(name)) return 'The password must not contain the name of the user.'
  if (password !== again) return 'The two passwords differ.'
  return null
}
