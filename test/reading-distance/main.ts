import { importClosure } from './import-closure.ts'
import { PATHS } from './paths.ts'

/** npm run reading-distance [-- --files]: how many files a reader opens from the source of a figure to its answer. */
const root = process.cwd()
for (const [name, entries] of Object.entries(PATHS)) {
  const { files, typesOnly, lines } = importClosure(root, entries)
  console.log(`${name}: ${files.length} files, ${typesOnly} of them for types alone; ${lines} lines`)
  if (process.argv.includes('--files')) console.log(files.map((file) => `  ${file}`).join('\n'))
}
