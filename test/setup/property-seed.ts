import fc from 'fast-check'

// CI uses a fixed seed, so that its result depends only on the change. Other runs use random seeds to find
// new cases.
if (process.env['CI'] === 'true') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_121 })
