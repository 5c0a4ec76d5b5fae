import { measure, type Measured, readHeadlines } from './measure.ts'

// npm run sluice -- bench news-coins [--all]: measures the recognition in headlines. --all lists the errors.
const headlines = readHeadlines()
const rows: Measured[] = [
  measure('all', headlines),
  ...['tuned', 'held', 'fresh', 'named', 'real'].map((part) =>
    measure(
      part,
      headlines.filter((headline) => headline.part === part),
    ),
  ),
]
console.log('The headlines are invented, except for the part "real", which news sites published.')
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
console.table(
  rows.map((row) => ({
    set: row.name,
    headlines: row.headlines,
    'coins: precision': percent(row.precision),
    'coins: recall': percent(row.recall),
    'tone: right': percent(row.toneRight),
    'tone: precision': percent(row.tonePrecision),
    'tone: recall': percent(row.toneRecall),
  })),
)
if (process.argv.includes('--all')) {
  const [all] = rows
  for (const { title, expected, found } of all!.wrongCoins)
    console.log(`coins  ${title}\n       expected ${expected || 'none'}, found ${found || 'none'}`)
  for (const { title, expected, found } of all!.wrongTones)
    console.log(`tone   ${title}\n       expected ${expected}, found ${found}`)
}
