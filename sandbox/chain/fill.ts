import { configured } from '../../ops/settings/configured.ts'
import { readConfig } from '../config.ts'
import { fillChains } from './fill-chains.ts'

// Fills the sandbox chains. The last line that it prints is a summary in JSON.

const { config } = configured({ config: () => readConfig(process.env) })
const summary = await fillChains(config, (line) => console.log(`sandbox chain: ${line}`))
console.log(JSON.stringify(summary))
