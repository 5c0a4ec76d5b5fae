/** Word lists for finding coins, all in lower case. Split from text to keep the lists readable. */
const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''))

/** Coin names that are ordinary words: capitals are not enough, the words around them must be evidence. */
export const COMMON_NAMES = words(`
  access acid ace aergo aether agent air alchemy alien alpha altitude amp anchor angle apex apple ark arc arena aria atom
  aurora avalanche axis balance band bancor base basic beam bear bell beta bit blast block blue blur bluzelle bond book
  boost bounce brett bridge bright bull burger cake cap cat celer chain chainge change chia chromia circle clash clover
  coin compound conflux core cosmos cream creation credit crown curve dai dash data decimal degen dent detector dog
  dream drift drop dusk edge elastic electra elf ember energy enigma era essential everest everyone express fair faith
  fantom fire flame flare flex flow flux forta fox frax free friend fuel fun function fuse fusion future gains gala game
  games gas gate gem general genius glimpse glow gold grass gravity grin grove guild harmony harvest hash hat helium
  hero hive holo hook hooked hope horizon horizen hot house hype icon idea immutable index ink iron island jump jupiter
  just key keep kin kind king lamina lava layer league lever liberty life light line linear link liquid litentry locus
  loom loop love lumen luna magic major maker mantle mantra map mars mask master matrix maverick max melody meme mercury
  merit metal meteora metis mint mirror mobox moon moonbeam morpho move movement nano near neo neon nest net neutron
  nexus nova nym oasis ocean official omni one open optimism orbit orca order origin osmosis oxygen pandora pantos
  paper particle peak peaq people phoenix pixel pixels plasma polkastarter portal power prime prom propy pulse quant
  quick rabbit radiant radix rain rally rare raven ray reach ready realm redstone reef ren render request reserve rise
  river rook rose route rupee safe saga salt sand sandbox score scroll secret seed sense sentinel shadow shell ship
  shuffle sign signum silver skate sky sleepless slerf smart smile snek snow solar solid solve sonic soul space spark
  spell spectral star stargate startup status steem stellar step storm story strike strong sun super surge swarm swell
  switch sync synapse syscoin tensor terra theta threshold tide time token tower trace trade trader treasure tree trump
  truth turbo twist ultra unity universe usual value vanar vault vega velo velas venice venus verge verse vertex victory
  viper virtual vision volt voxel vulcan wagmi war warden water wave waves wax whale wild win wing wink wonder woo world
  wormhole zero zest zeta zen zeus zone`)

/** Ordinary words that name the coin or its issuer when they have a capital in financial news. */
export const PROPER_NAMES = words(`
  aptos arbitrum aragon bonk celestia cronos ethena gnosis hedera injective iota lido mina monad pendle pepe polygon
  ripple sei stacks starknet sui terra tether tron worldcoin zilliqa`)

/** Coin names of several words that are also ordinary English phrases. */
export const COMMON_PHRASES = words(`
  the-graph the-sandbox internet-computer first-digital space-id the-root wild-forest big-time deep-worm my-neighbor
  ice-open high-street`)

/** Symbols that are also common acronyms: authorities, units, trading terms. */
export const ACRONYMS = words(`
  a ace act ada ai ama aml ant api app apr apt apy ar asic ath atl atm bip bis boj btcs ca cbdc cdo ceo cex cfo cftc cia
  coo cpi cpu cto dao dc defi dex doj dot ecb eip eps erc etc etf etfs etn eth2 eu eur evm fatf fbi fca fdic fed fifa
  fomc fomo fud ftx gbp gdp gmt gop gpu hk hodl i ico id ido ieo imf ios ip ipo iq irs ira it jpy ktv kyc l1 l2 la ldn
  llc lp ltd mac mica mit ml nasa nba nda nft nfts nfl ny nyse occ ofac ok op otc p2p pc pce pm pol pos pow pr pvp qe
  qt q1 q2 q3 q4 r rbi roi rpc rwa rwas s sdk sec sim ssd t tps tv tvl uae ubi ufc uk un us usa usd uv vc vip vr web3
  wef ww xr zk`)

/** Words after a name or symbol that mark it as a project or token. */
export const AFTER = words(`
  airdrop airdrops altcoin blockchain bridge bulls bears chain coin coins coinholders community dao dapp dapps defi
  denominated developers devs dex ecosystem etf etfs etp foundation founder founders fork futures governance
  hacker holder holders hub l1 l2 labs layer ledger liquidity mainnet memecoin miners mining nodes network node nft nfts
  perpetuals perps price prices protocol protocols rebrand rollup stablecoin staker stakers staking subnet subnets
  supply swap testnet token tokenomics tokens traders treasury tvl unlock unlocks upgrade validator validators vault
  vaults wallet wallets whale whales`)

/** Words before a name that mark it as a project or token. */
export const BEFORE = words(`
  altcoin altcoins blockchain coin cryptocurrency l1 l2 layer-1 layer-2 memecoin meme-coin network protocol rollup
  stablecoin staked subnet token wrapped`)

/** Verbs of projects, right after a name at the start of a headline. */
export const ACTS = words(`
  acquires activates airdrops approves brings burns co-founder cofounder community debuts deploys expands forks freezes
  halts integrates launches lists loses merges migrates mints overtakes partners passes pauses postpones proposes raises
  rebrands releases renames reveals rolls ships slashes suspends taps teams tests trims unveils upgrades votes`)

/** Names that do more than other ordinary words: before one of these verbs they are the project. */
export const ACTORS = words('compound immutable optimism sky the-graph')
export const DEEDS = words(`
  adds adopts announces buys cuts faces files gets hires introduces joins names picks plans receives reports says secures
  sells settles signs sues wins`)
/** Before an actor at the end of a headline. */
export const TOWARDS = words('against from into via with')

/** Verbs of price moves. */
export const MOVES = words(`
  climb climbs climbed crash crashes crashed dip dips dipped dive dives dove drop drops dropped dump dumps dumped edge
  edges fall falls fell gain gains gained hit hits jump jumps jumped leap leaps lose loses plummet plummets plunge
  plunges plunged pump pumps pumped rallies rally rallied rebound rebounds retreats rise rises rose sheds sink sinks sank
  skyrockets slide slides slid slip slips slipped slump slumps slumped soar soars soared spike spikes spiked surge surges
  surged tank tanks tumble tumbles tumbled up down`)

/** Words beside a name that show it is not a coin, by name; `*` applies to all common names. */
export const ELSEWHERE: Readonly<Record<string, ReadonlySet<string>>> = {
  '*': words('of is are for between behind to in and/or quo'),
  apple: words('pay store vision watch inc iphone app'),
  atom: words('smasher bomb physics'),
  compound: words('interest annual growth'),
  cosmos: words('nasa telescope universe stars'),
  curve: words('yield futures forward learning bond'),
  dai: words('rapper singer actor'),
  doge: words('department government federal spending agency'),
  dot: words('plot plots com'),
  gas: words('fee fees price prices natural'),
  helium: words('shortage balloon'),
  jupiter: words('space planet orbit nasa moon mission'),
  lido: words('venice hotel beach deck'),
  maker: words('market chip car'),
  pepe: words('frog'),
  plasma: words('physics blood donation'),
  ripple: words('effect effects'),
  safe: words('haven'),
  sky: words('blue limit high'),
  sonic: words('boom'),
  sui: words('generis'),
  terra: words('incognita firma'),
  theta: words('gang decay'),
  treasure: words('hunter hunters hunt'),
}

/** Further names of coins, by coin id. */
export const ALIASES: Readonly<Record<string, readonly string[]>> = {
  'avalanche-2': ['Avalanche C-Chain'],
  binancecoin: ['BNB Chain', 'Binance Coin', 'BNB Smart Chain'],
  bitcoin: ['bitcoins', 'btc'],
  'compound-governance-token': ['Compound Finance', 'Compound Labs'],
  cosmos: ['Cosmos Hub'],
  'curve-dao-token': ['Curve Finance', 'Curve DAO'],
  ethereum: ['ether', 'eth'],
  'jupiter-exchange-solana': ['Jupiter Exchange'],
  'lido-dao': ['Lido Finance', 'Lido DAO'],
  maker: ['MakerDAO'],
  'matic-network': ['Polygon'],
  near: ['NEAR Protocol'],
  'polygon-ecosystem-token': ['Polygon', 'MATIC', 'Polygon Labs'],
  ripple: ['Ripple', 'XRP Ledger', 'XRPL', 'Ripple Labs'],
  'shiba-inu': ['SHIB'],
  'terra-luna': ['LUNC', 'Terra Classic'],
  'the-open-network': ['The Open Network', 'Toncoin'],
  'usd-coin': ['USD Coin'],
  'worldcoin-wld': ['World Network'],
}
