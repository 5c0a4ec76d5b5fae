import fc from 'fast-check'

// A run of CI judges the change, not the luck of a seed; every other run looks for what no one has tried yet.
if (process.env['CI'] === 'true') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_121 })
