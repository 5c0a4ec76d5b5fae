import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { View } from './views.ts'

const FOLDER = join(import.meta.dirname, 'questions')

/**
 * The questions that analysts ask first, a view for each file of `questions/`. A file begins with comments:
 * what it answers, then a line for each column. A query of one view may read the views of `views.ts`.
 */
export const QUESTIONS: readonly View[] = readdirSync(FOLDER)
  .sort()
  .map((file) =>
    toView(file.replace('.sql', '').replaceAll('-', '_'), readFileSync(join(FOLDER, file), 'utf8')),
  )

function toView(name: string, text: string): View {
  const lines = text.split('\n')
  const comments = lines.filter((line) => line.startsWith('-- ')).map((line) => line.slice(3))
  const columns = comments.flatMap((comment) => {
    const [, column, meaning] = /^([a-z_0-9]+): (.*)$/.exec(comment) ?? []
    return column === undefined ? [] : [[column, meaning!] as const]
  })
  return {
    name,
    description: comments.slice(0, comments.length - columns.length).join(' '),
    sql: lines.filter((line) => !line.startsWith('-- ')).join('\n'),
    columns: Object.fromEntries(columns),
  }
}
