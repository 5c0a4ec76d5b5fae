import { measure, readPairs } from './measure.ts'

// npm run sluice -- bench cross-venue [--all]: how well markets of two venues are matched; --all lists the errors made on
// the part that the rules were tuned on.
const pairs = readPairs()
const parts = ['tuned', 'held', 'fresh']
const rows = [
  measure('all', pairs),
  ...parts.map((part) =>
    measure(
      part,
      pairs.filter((pair) => pair.part === part),
    ),
  ),
]
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
console.table(
  rows.map(({ name, pairs: count, precision, recall }) => ({
    set: name,
    pairs: count,
    precision: percent(precision),
    recall: percent(recall),
  })),
)
for (const { name, classes } of rows.slice(1)) {
  console.log(`\n${name}: what pairs of each class were found to be`)
  console.table(classes)
}
if (process.argv.includes('--all'))
  for (const { pair, found } of rows.find(({ name }) => name === 'tuned')!.wrong) {
    const said = `${found.relation}${found.inverted ? ', inverted' : ''}, ${found.score}`
    console.log(`${pair.class}: ${said}\n  ${pair.polymarket.question} | ${pair.polymarket.label ?? ''}`)
    console.log(`  ${pair.kalshi.question} | ${pair.kalshi.label ?? ''}`)
    for (const { clause, reason } of found.vetoes) console.log(`    ${clause}: ${reason}`)
  }
