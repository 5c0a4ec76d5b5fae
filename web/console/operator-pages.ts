import { badRequest } from '../../api/errors.ts'
import { appointOperator, readOperators } from '../../db/console/accounts.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { day } from '../parts/format.ts'
import { html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import type { Visit } from '../parts/visit.ts'

export const OPERATORS = '/console/operators'

type OperatorVisit = Visit & { subject: string }

/** Who sees the console. `issuer`: where they sign in. */
export function operatorPages({ db, issuer }: { db: ReadonlyDb; issuer: string }) {
  return {
    list: async ({ csrf, flash, show, subject: own }: OperatorVisit) => {
      const operators = await readOperators(db)
      show({
        title: 'Operators',
        body: html`${await flash()}
          ${table({
            label: 'Operators',
            columns: ['User', 'Provider', 'Since', 'Actions'],
            rows: operators.map((one) => [
              one.subject,
              one.issuer,
              day(one.createdAt),
              one.issuer === issuer &&
                one.subject !== own &&
                html`<form method="post" action="${OPERATORS}/remove">
                  ${csrf}<input type="hidden" name="subject" value="${one.subject}" />
                  <button class="plain" aria-label="Take the console from ${one.subject}">
                    Take the console
                  </button>
                </form>`,
            ]),
          })}
          <h2>Make somebody an operator</h2>
          <form method="post" action="${OPERATORS}">
            ${csrf}<label
              >User
              <input name="subject" required maxlength="200" autocomplete="off" />
              <span class="small soft">"sub" of the OpenID provider</span></label
            >
            <button>Make an operator</button>
          </form>`,
      })
    },

    add: async ({ form, redirect, subject: operator }: OperatorVisit) => {
      const subject = subjectIn(form.text('subject'))
      const isNew = await appointOperator(db, { issuer, subject, isOperator: true, operator })
      await redirect(OPERATORS, {
        message: isNew ? `${subject} sees the console.` : `${subject} saw it before.`,
      })
    },

    remove: async ({ form, redirect, subject: operator }: OperatorVisit) => {
      const subject = subjectIn(form.text('subject'))
      if (subject === operator) throw badRequest('Another operator has to take the console from you.')
      const isDone = await appointOperator(db, { issuer, subject, isOperator: false, operator })
      await redirect(OPERATORS, {
        message: isDone ? `${subject} no longer sees the console.` : `${subject} saw none before.`,
      })
    },
  }
}

function subjectIn(text: string): string {
  if (text === '' || text.length > 200 || /\p{Cc}/u.test(text)) throw badRequest('Enter a user.')
  return text
}
