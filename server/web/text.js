// The words of the page, in English and Japanese, and how values are written.
import { setting } from './dom.js';

const words = {
  games: ['Games', 'ゲーム'],
  tagline: ['Games read out to the end', '最後まで読み切ったゲーム'],
  intro: ['Choose a game; click a move to make it. A database has the value of each position.',
    'ゲームを選び、手をクリックして進めてください。データベースには各局面の評価があります。'],
  positions: ['{} positions', '{} 局面'],
  none: ['Nothing is served.', '表示できるものがありません。'],
  noGame: ['The link names a game that is not served: {}', 'リンクのゲームはこのサーバーにありません: {}'],
  language: ['日本語', 'English'],
  theme: ['Light or dark', '明暗の切替'],
  probing: ['probing…', '照会中…'],
  // Errors, by their code. In English the server's own words are shown.
  offline: ['The server does not answer.', 'サーバーが応答しません。'],
  not_loaded: ['This needs a part of the database that is not loaded, and the web host cannot be reached.', '読み込んでいないデータが必要ですが、サイトに接続できません。'],
  bad_request: ['', '要求が正しくありません'], bad_position: ['', 'この局面は使えません'], bad_move: ['', 'この手は指せません'], bad_record: ['', '棋譜に読めないところがあります'], atLine: ['', '{} 行目'],
  not_found: ['', '見つかりません'], not_held: ['', 'この局面はデータベースにありません。'], too_large: ['', '要求が大きすぎます。'],
  timeout: ['', '要求が時間内に届きませんでした。'], forbidden: ['', 'このページからの要求は許されていません。'],
  busy: ['', 'サーバーが混み合っています。しばらくしてからもう一度お試しください。'], cut_off: ['', '処理が打ち切られました。'],
  damaged: ['', 'データベースが壊れています'], refused: ['', '証明が誤っているか、壊れています。'], internal: ['', 'サーバー内部のエラーです'],
  win: ['win', '勝ち'], draw: ['draw', '引き分け'], loss: ['loss', '負け'], unknown: ['unknown', '不明'],
  toMove: ['{} to move', '{}の手番'],
  over: ['The game is over', '終局'],
  hasWon: ['{} has won', '{}の勝ち'], wins: ['{} wins', '{}の勝ち'], holds: ['{} does not lose', '{}は負けない'],
  isDraw: ['a draw', '引き分け'],
  even: ['even', '互角'],
  leftOut: ['Not taken into account: {}.', '考慮していない規則: {}。'],
  swap: ['swap', '交換'], pass: ['pass', 'パス'],
  // Rules that depend on earlier moves, by their keys in files of variants.
  nMoveRule: ['the draw after {} moves without progress', '{} 手ずつ進展がないときの引き分け'], nFoldRule: ['the result of a position that comes {} times', '同一局面 {} 回の裁定'],
  perpetualCheckIllegal: ['the ban on perpetual check', '連続王手の禁止'], moveRepetitionIllegal: ['the ban on repeated moves', '同じ手の繰り返しの禁止'],
  chasingRule: ['the ban on perpetual chases', '駒を追い続ける手の禁止'], countingRule: ['the limit on moves when few pieces are left', '駒が少なくなってからの手数制限'],
  ahead: ['{} is {} points ahead', '{}が {} 点リード'],
  willWin: ['{} wins in {} plies', '{}が {} 手で勝ち'],
  willLead: ['{} gets {} points more from here', 'ここから{}が {} 点多く取る'],
  willDraw: ['a draw with best play', '最善で引き分け'],
  best: ['best', '最善'],
  slower: ['{} plies slower', '{} 手遅い'], sooner: ['{} plies sooner', '{} 手早い'],
  gives: ['gives {} away', '{} 点損'],
  loses: ['gives the win away', '勝ちを逃す'], losesDraw: ['gives the draw away', '引き分けを逃す'],
  promote: ['promote', '成'], stay: ['don’t promote', '不成'],
  moves: ['Moves', '候補手'], value: ['value', '評価'],
  noMoves: ['No moves.', '手がありません。'],
  history: ['The game so far', 'これまでの推移'],
  historyHelp: ['Up is better for {}. Click a point to go there.', '上ほど{}に有利。点をクリックするとその局面へ。'],
  first: ['Back to the start', '最初へ'], back: ['Back', '一手戻る'], forward: ['Forward', '一手進む'], last: ['To the end', '最後へ'],
  playLine: ['Play best line', '最善手順を再生'], stop: ['Stop', '停止'],
  flip: ['Turn the board', '盤を回す'],
  restart: ['New game', '最初から'],
  setup: ['Set up', '局面編集'], explore: ['Explore this position', 'この局面を調べる'], cancel: ['Cancel', 'やめる'],
  setupReset: ['As in the game', '元の局面に'], clear: ['Empty board', '盤を空に'], erase: ['remove', '消す'], add: ['add a stone', '一つ増やす'], take: ['take a stone', '一つ減らす'],
  setupHelp: ['Choose a piece, then click squares.', '駒を選び、マスをクリックします。'],
  setupHands: ['Click a hand to add the piece to it.', '持駒の枠をクリックすると持駒に加わります。'],
  setupPits: ['Click pits to change their stones. The side below is to move.', '穴をクリックして石を増減します。手前側の手番です。'],
  legal: ['This position is possible.', 'この局面はあり得ます。'],
  legalNotHeld: ['This position is possible, but the database does not have it.', 'この局面はあり得ますが、データベースにありません。'],
  mistakes: ['Mistakes', '悪手'], nextMistake: ['Next mistake', '次の悪手'], became: ['{} → {}', '{}→{}'],
  saveAnnotated: ['Save with the review:', '検討を付けて保存:'],
  record: ['Moves of the game', '棋譜'], variation: ['Variation', '変化'], backToGame: ['Back to the game, move {}', '本譜の {} 手目へ戻る'],
  costs: ['costs ~{} % of the win rate', '勝率 約 {} % の損'], instead: ['Instead of {}: {}', '{} に代えて: {}'],
  estimates: ['Show estimates of a search', '探索の見積もりを表示'],
  estimateHelp: ['Bars, rings and dashed lines are estimates, which prove nothing.', '棒・輪・破線は見積もりで、確定した評価ではありません。'],
  // Games from elsewhere.
  openGame: ['Open a game', '棋譜を開く'], openRecord: ['Open', '開く'], recordText: ['Text of a game', '棋譜のテキスト'], recordFile: ['or a file:', 'またはファイル:'],
  recordCount: ['{} games', '{} 局'], moveCount: ['{} moves', '{} 手'],
  // Training.
  guess: ['Guess moves:', '次の一手を当てる'], guessOff: ['off', 'しない'], guessBoth: ['both sides', '両方'],
  puzzle: ['Puzzle', '問題を解く'], puzzleLevel: ['Level of puzzles', '問題の難しさ'], puzzleAny: ['all', 'すべて'],
  puzzleWin: ['One move wins: which?', '勝つ手は一つだけです。どの手ですか。'], puzzleSave: ['One move saves the draw: which?', '引き分けにできる手は一つだけです。どの手ですか。'],
  guessHelp: ['Values are hidden. Make the move that you think is right.', '評価は隠れています。正しいと思う手を指してください。'],
  nothingToGuess: ['Nothing to guess here.', 'ここには当てる手がありません。'],
  rightGuess: ['{} is right', '{} は正解です'], wrongGuess: ['{} is wrong', '{} は不正解です'], asInGame: ['as in the game', '実戦の手です'], inGame: ['– in the game: {}', '（実戦は {}）'],
  guessCount: ['Right at the first try: {} of {}', '一度で正解: {} / {}'],
  hint: ['Hint', 'ヒント'], hintCount: ['{} of {} moves are right', '正解は {} 手（全 {} 手中）'], hintFrom: ['It begins here: {}', 'ここから動きます: {}'], hintMove: ['It is {}', '正解は {} です'],
  // Going through a database.
  browse: ['Browse the database', 'データベースを見る'], countsTable: ['The counts as a table', '局面数の表'], count: ['positions', '局面数'],
  countsHelp: ['Positions by value for the side to move, on a logarithmic scale: to the right is farther from the end, or more points.', '手番側から見た評価ごとの局面数（対数目盛）。右ほど終局まで遠いか、点が多い。'],
  longestWins: ['Longest wins', '最長の勝ち'], longestLosses: ['Longest losses', '最長の負け'], randomPosition: ['Random position', '無作為の局面'], listPositions: ['List', '一覧'],
  foundFirst: ['the first {} positions', '最初の {} 局面'], foundNone: ['none', 'ありません'], foundNoneYet: ['none found in the time', '制限時間内には見つかりません'],
  zugzwang: ['mutual zugzwangs only', '相互ツークツワンクのみ'],
  zugzwangHelp: ['In a mutual zugzwang each side would get a better result if the other had to move.', '相互ツークツワンクでは、どちらも相手の手番であれば結果がよくなります。'],
  mover_win: ['side to move wins', '手番側の勝ち'], mover_draw: ['draw', '引き分け'], mover_loss: ['side to move loses', '手番側の負け'],
  mover_win_in: ['side to move wins in {}', '手番側が {} 手で勝ち'], mover_loss_in: ['side to move loses in {}', '手番側が {} 手で負け'],
  moverLeads: ['side to move gets {} points more', '手番側が {} 点多く取る'], moverTrails: ['side to move gets {} points less', '手番側が {} 点少なく取る'],
  position: ['Position', '局面'], paste: ['Paste a position', '局面を貼り付け'], go: ['Go', '移動'],
  link: ['Copy link', 'リンクをコピー'], copied: ['Copied.', 'コピーしました。'],
  asText: ['The board as text', '盤面のテキスト表示'],
  hints: ['Show values', '評価を表示'],
  you: ['you', '人'], machine: ['computer', 'コンピュータ'],
  strength: ['Computer plays', 'コンピュータの強さ'],
  perfect: ['perfectly', '完全'], upTo: ['giving away up to {} plies', '{} 手までの損'], upToPoints: ['giving away up to {} points', '{} 点までの損'],
  weakest: ['level {} (beginner)', 'レベル {}（初心者）'], level: ['level {}', 'レベル {}'], strongest: ['level {} (strong)', 'レベル {}（強い）'],
  byBook: ['A move of the opening book', '定跡の手'],
  estimate: ['Estimate of a search, not a value: {}', '探索による見積もり（確定した評価ではない）: {}'], aboutEqual: ['about equal', 'ほぼ互角'],
  provenBy: ['Proven by {}: {}', '確定（{}）: {}'],
  // What has proven a value; threats is below.
  rules: ['the rules', '規則'], database: ['database', 'データベース'], proof: ['proof file', '証明'], 'exhausted search': ['full search', '全探索'], 'mate search': ['mate search', '詰み探索'],
  'exact endgame': ['exact endgame', '終盤の読み切り'], connections: ['connections', '連結'], pairing: ['pairing', 'ペアリング'],
  keeps: ['any move that keeps the result', '結果を保つ手なら何でも'], any: ['any move', '何でも'],
  empty: ['empty', '空'], hand: ['in the hand of {}', '{}の持駒'], onMove: ['moves here', '動ける'],
  choose: ['Which one?', 'どちらにしますか'],
  notLegal: ['Not a legal move: {}', '指せない手です: {}'], cannotMove: ['{}: no legal move from here', '{}からの手はありません'],
  tapAgain: ['{}: tap it again, or', '{}をもう一度タップするか'], confirm: ['make the move', '着手'], pieceCount: ['{} pieces', '{} 枚'], edges1: ['top to bottom', '上下'], edges2: ['left to right', '左右'],
  candidates: ['Candidate moves', '候補手'], rate: ['{} wins ~{}\u00a0%', '{}の勝率 ～{}\u00a0%'], alike: ['no clear difference', '明確な差なし'], provenShort: ['proven by {}', '確定（{}）'], result: ['result: {}', '結果: {}'], resigned: ['resignation', '投了'],
  badMove: ['The link has a move that is not legal: {}', 'リンクに指せない手があります: {}'],
  board: ['Board', '盤'],
  stones: ['{} stones', '石 {} 個'],
  keys: ['Keys: ← → moves, Home start, F turn, H values', 'キー: ← → 手を進める、Home 最初、F 盤の回転、H 評価'],
  search: ['Search for a win', '勝ちを探す'], searching: ['searching…', '探索中…'],
  tsumeHelp: ['Set up a problem, paste an SFEN, or open a record. The search looks for a mate by the side to move.',
    '問題を並べるか、SFEN を貼り付けるか、棋譜を開いてください。手番側の詰みを探します。'],
  searchMate: ['Search for a mate', '詰みを探す'], ask_shortest: ['the shortest', '最短手数'], ask_alternatives: ['all lines', '余詰と変化も'],
  hands: ['pieces not shown', '盤面にない駒'], hands_usual: ['as usual', '通常どおり'], hands_given: ['nowhere', 'なし'], hands_rest: ["in the defender's hand", '受方の持駒'],
  read_given: ['Pieces that are not shown are nowhere.', '盤面と持駒に示されていない駒はないものとします。'],
  read_rest: ['The defender has all pieces that were not shown.', '示されていない駒はすべて受方の持駒とします。'],
  searchTime: ['for up to', '制限時間'], seconds: ['{} s', '{} 秒'], minutes: ['{} min', '{} 分'], comma: [', ', '、'], colon: [': ', '：'],
  judge: ['Is it sound?', '検討（完全作か）'], house: ['by the rules', '規約'], kif: ['Save as KIF', 'KIF で保存'],
  findShortest: ['Find the shortest', '最短手数を調べる'], notShortest: ['not proven shortest', '最短とは限らない'],
  mateLine: ['mate in at most {}, this line {}', '{} 手以内の詰み、この手順は {} 手'], mateNoLine: ['mate in at most {}, the line was not found', '{} 手以内の詰み、手順は未確定'],
  left: ['{} left in hand', '駒余り {}'], longer: ['Search for up to {}', '{}まで探す'], mainLine: ['Back to the line', '作意手順に戻る'],
  most: ['The limit of the server is {} (serve --search-{}).', 'サーバーの制限は {} です（serve --search-{}）。'],
  alternatives: ['Other checks that mate', '余詰'], variations: ['Other replies: {} lines', '変化: {} 手順'], faults: ['Faults', '指摘'], leftOpen: ['{} questions are left open', '未判定 {} 件'],
  mates: ['mates in {}', '{} 手で詰み'], matesAtMost: ['mates in at most {}', '{} 手以内で詰み'], pliesLeft: ['{} plies', '{} 手'],
  sound: ['sound', '完全作'], unsound: ['unsound', '不完全作'], grade_unsound: ['unsound', '不完全'], grade_blemish: ['blemish', 'キズ'], grade_remark: ['remark', '注記'],
  gomokuHelp: ['Click to place stones in turn, then search for a forced win of the side to move.',
    'クリックで交互に石を置き、手番側の必勝手順を探します。'],
  zone: ['Hatched squares are the zone: with one more stone of the other side on any other empty square, the win remains.',
    '斜線の部分が関連域です。その外の空点に相手の石が一つ増えても、勝ちは変わりません。'],
  nodes: ['nodes: {}, {} s', '{} 局面、{} 秒'],
  mate: ['mate in {}', '{} 手詰'], mateAtMost: ['mate in at most {}', '{} 手以内の詰み'], noMate: ['no mate', '不詰'],
  forced: ['a forced win by {} in at most {} moves', '{}による {} 手以内の必勝'], noForced: ['no win by threats (not verified)', '追い詰めの勝ちなし（検証なし）'],
  fours: ['fours', '四追い'], threats: ['fours and threes', '追い詰め'],
  limit: ['not decided within the limits', '制限内では決着せず'],
  playFound: ['Play the line', '手順を再生'],
  claim: ['Claim', '主張'], proven: ['{}, proven', '{}（証明済み）'], provenIf: ['{}, proven if the database is right', '{}（データベースが正しければ証明済み）'],
  // What was found out about a proof, and about a database and its verification.
  proof_checking: ['the proof is being checked', '証明を検査中'], proof_checked: ['the proof was checked', '証明は検査済み'], rightIf: ['it is right if the database is', 'データベースが正しければ正しい'],
  proof_refused: ['refused: the proof is wrong', '却下: 証明は誤り'], proof_unchecked: ['the proof could not be checked', '証明を検査できず'],
  database_checking: ['checksums are being compared', 'チェックサムを照合中'], database_intact: ['checksums are right', 'チェックサムは一致'],
  database_damaged: ['damaged', '壊れています'], database_unchecked: ['checksums could not be compared', 'チェックサムを照合できず'],
  verified: ['verified on {} by {}', '{} に {} で検証済み'], stale: ['not verified since it changed', '変更後は未検証'], unverified: ['not verified', '未検証'],
  'win or draw': ['win or draw', '勝ちか引き分け'], 'loss or draw': ['loss or draw', '負けか引き分け'],
  proofLine: ['Show a line of the proof', '証明の手順を表示'], noLine: ['The proof gives no line from here.', 'ここからの手順はありません。'], replies: ['Replies: {}', '応手: {} 通り'], answer: ['The answer of the proof', '証明の答え'], then: ['then: {}', '次: {}'],
  refusedAt: ['{}, node {}, position {}', '「{}」の節点 {}、局面 {}'],
  by_move: ['one move is enough', '一つの手で足りる'], by_replies: ['all replies of this side are answered', 'すべての応手に答えがある'],
  by_certificate: ['a certificate proves this: {} bytes, no moves', '証明書で証明（{} バイト、手順なし）'],
  by_finished: ['the game is over', '終局'], by_database: ['the database that the proof rests on has the value', '証明が依拠するデータベースにある局面'], by_next: ['the next move decides it', '次の手で決まる'],
  is_move: ['one move', '一手'], is_replies: ['all replies', '全応手'], is_certificate: ['certificate', '証明書'], is_finished: ['the end', '終局'], is_database: ['database', 'データベース'], is_next: ['decided next', '次で決着'],
  node: ['node {}', '節点 {}'], rank: ['at most {} plies to the end', '終局まで最大 {} 手'],
  menu_database: ['Solved', '完全解析'], menu_search: ['Search', '探索'], menu_game: ['To play', '対局'], menu_proof: ['Proof', '証明'],
};

const pieces = {
  lion: 'ライオン', elephant: 'ぞう', giraffe: 'きりん', chick: 'ひよこ', hen: 'にわとり',
  mark: '印', disc: 'ディスク', stone: '石', man: '駒', 'checkers king': 'キング',
  pawn: '歩', lance: '香', knight: '桂', silver: '銀', bishop: '角', rook: '飛車', gold: '金', king: '玉',
  'promoted pawn': 'と金', 'promoted lance': '成香', 'promoted knight': '成桂', 'promoted silver': '成銀',
  horse: '馬', dragon: '龍', wall: '壁',
  'chess pawn': 'ポーン', 'chess knight': 'ナイト', 'chess bishop': 'ビショップ', 'chess rook': 'ルーク', 'chess queen': 'クイーン', 'chess king': 'キング', 'chess commoner': 'キング',
  'chess silver': '銀将', 'chess fers': 'フェルズ', 'chess breakthrough': '駒', 'chess piece': '駒',
};

// Why a position cannot be, in the server's words and in Japanese.
const impossible = [
  [/(\d+) x and (\d+) o\b.*want/, '先手が {} 個、後手が {} 個です。同数か、先手が一つ多くなければなりません'],
  [/three in a row, but|is to move, but has|has connected its edges|over before the last move|the game ended when/, 'すでに終局した後の局面です'],
  [/column (\w): a disc has none below it/, '{} 列のディスクの下が空いています'],
  [/(\w\d) is empty, and the four squares/, '中央の {} が空いています'],
  [/no row of discs side by side connects (\w\d)/, '{} の石が中央の石とつながっていません'],
  [/the square is not empty/, 'そのマスには駒や石があります'],
  [/the side to move is unclear/, '手番が分かりません'],
  [/side to move (?:is )?("[^"]*"),? want/, '手番の指定が読めません（{}）'],
  [/has \d+ lions/, 'ライオンは双方に一つずつ必要です'],
  [/(\d+) (elephant|giraffe|chick)s?\b.* in the hands, want (\d+)/, '{} 個の{}があります（正しくは {} 個）'],
  [/a chick on its far rank \((\w+)\)/, 'ひよこは最奥の段（{}）に置けません'],
  [/(\d+) (?:stones|pieces)\b.* at most (\d+)/, '{} 個は多すぎます（最大 {} 個）'],
  [/has just moved, has no piece/, '指したばかりの側に駒がありません'],
  [/has a man in the last row/, '最奥の列の駒はキングでなければなりません'],
  [/has (\d+) kings/, '一方に玉が {} 枚あります'],
  [/side that is not to move is in check/, '手番でない側の玉に王手がかかっています'],
  [/the game is over/, 'すでに終局しています'],
  [/has (\d+) rows, want (\d+)/, '{} 段です（正しくは {} 段）'],
  [/want (\d+)(?: or \d+)? (?:squares|numbers|fields|r\w+ with)[^,]*, got (\d+)/, '要素の数が違います（{} のはずが {}）'],
  [/none of the formats of/, 'この形式の棋譜は読めません'],
  [/has no game$|text is empty$/, '棋譜がありません'],
  [/board of (\d+) rows and (\d+) columns, want (\d+) and (\d+)/, '棋譜の盤は {}×{} です（正しくは {}×{}）'],
  [/want (\d+) rows of (\d+) squares, .*got (\d+)/, '{} 段 {} マスの盤のはずが {} マスです'],
  [/'(.)'(?:, want| is no)/, '「{}」は読めません'],
  [/square ("[^"]*"): want/, 'そのマスはありません（{}）'],
  [/("[^"]*") after the fields|number of the move ("[^"]*")/, '局面の後の {} が読めません'],
  [/no such piece to castle with/, 'キャスリングの指定が盤面に合いません'],
  [/move "([^"]*)"/, '「{}」'],
];

const colours = [['Black', 'White'], ['黒', '白']];

const players = {
  dobutsu: [['Sente', 'Gote'], ['先手', '後手']],
  shogi: [['Black', 'White'], ['先手', '後手']],
  gomoku: colours, checkers: colours, othello: colours,
  hex: [['Red', 'Blue'], ['赤', '青']],
  awari: [['South', 'North'], ['先手', '後手']],
  tictactoe: [['X', 'O'], ['×', '○']],
  connect4: [['Yellow', 'Red'], ['黄', '赤']],
};

// The players of other games, by the set of the pieces.
const sets = {
  chess: [['White', 'Black'], ['白', '黒']], shogi: players.dobutsu, xiangqi: [['Red', 'Black'], ['赤', '黒']], janggi: [['Blue', 'Red'], ['青', '赤']],
};

const titles = {
  dobutsu: 'どうぶつしょうぎ', awari: 'アワリ', tictactoe: '三目並べ', connect4: '四目並べ', checkers: 'チェッカー', gomoku: '五目並べ', shogi: '将棋',
  tsume: '詰将棋', othello: 'オセロ', hex: 'ヘックス', chess: 'チェス', atomic: 'アトミックチェス', crazyhouse: 'クレイジーハウス', xiangqi: 'シャンチー', minixiangqi: 'ミニシャンチー',
  minishogi: '5五将棋', kyotoshogi: '京都将棋', torishogi: '禽将棋', makruk: 'マークルック', breakthrough: 'ブレイクスルー', amazons: 'アマゾン', ataxx: 'アタックス',
};

let japanese = setting.get('lang', navigator.language?.startsWith('ja') ? 'ja' : 'en') === 'ja';
document.documentElement.lang = japanese ? 'ja' : 'en';

/** otherLanguage switches between the languages. */
export function otherLanguage() {
  japanese = !japanese;
  document.documentElement.lang = japanese ? 'ja' : 'en';
  setting.set('lang', document.documentElement.lang);
}

/** fill fills the gaps of a text. */
const fill = (text, values) => values.reduce((filled, v) => filled.replace('{}', () => v), text);

/** t is a text in the chosen language, with its gaps filled. */
export function t(name, ...values) {
  const text = fill(words[name][japanese ? 1 : 0], values);
  return japanese ? text : text.replace(/\b1 (plie|point|move|stone|position|byte)s\b/, (_, word) => `1 ${word === 'plie' ? 'ply' : word}`);
}

/** inJapanese says why a position cannot be; the server's own words if it is for another reason. */
function inJapanese(message) {
  const [, line] = /\bline (\d+)/.exec(message) ?? [];
  for (const [english, text] of impossible) {
    const found = english.exec(message);
    if (found) return (line ? t('atLine', line) + t('colon') : '') + fill(text, found.slice(1).filter(Boolean).map((v) => pieces[v] ?? v));
  }
  return line ? t('atLine', line) : message;
}

/** reason says why the server refused something. What depends on the request follows. */
export function reason(e) {
  const translated = ['offline', 'not_loaded'].includes(e.code) || (japanese && e.code in words);
  const more = e.id ? ` [${e.id}]` : translated && /^(bad_|not_found)/.test(e.code) ? ` (${e.japanese ?? inJapanese(e.message)})` : '';
  return (translated ? t(e.code) : e.message) + more;
}

export const family = (game) => (game.game ?? game.name).split(':')[0];

/** side is the name of a player. */
export const side = (game, n) => (players[family(game)] ?? sets[game.layout?.set] ?? [['First', 'Second'], ['先手', '後手']])[japanese ? 1 : 0][n - 1];

/** title is the name of a game. */
export const title = (game) => (japanese && (titles[game.name] ?? titles[family({ name: (game.game ?? game.name).replace('variant:', '') })])) || game.title;

/** link is the page of a game. A proof is named after its file, perhaps like a game. */
export const link = (game) => `?${game.kind === 'proof' ? 'proof' : 'game'}=${encodeURIComponent(game.name)}`;

const rules = {
  size: ['{}', '{}'], stones: words.stones, pieces: ['{} pieces', '駒 {} 個'], k: ['{} in a row', '{} 目並べ'], empty: ['empty squares: {}', '空き {}'], swap: ['swap', '交換あり'],
};

/** rulesText is the rule options of a game that are not the usual ones. */
export const rulesText = (game) => game.rules_text?.split(',').filter(Boolean).map((text) => {
  const [name, v] = text.split('=');
  return fill(/^pieces=\D/.test(text) ? '{}' : rules[name]?.[japanese ? 1 : 0] ?? `${name}: {}`, [v.replace(/(\d)x(\d)/, '$1×$2')]);
}).join(t('comma'));

/** leftOutText is the rules that values leave out. */
export const leftOutText = (list) => t('leftOut', list.map((text) => text.split(' = ')).filter(([name]) => words[name]).map(([name, v]) => t(name, v)).join(t('comma')));

/** fullTitle tells a game from others of its family: by its rules, a proof by its file. */
export const fullTitle = (game) => (game.kind === 'proof' ? game.name : [title(game), rulesText(game)].filter(Boolean).join(' '));

/** refusal says why a proof is refused; turn is the side to move at its root. */
export const refusal = (game, text, turn) => text.replace(/claim \d+ \((\w+ \w+)\): node (\d+), position ("[^"]*")/, (_, claim, node, position) => t('refusedAt', claimText(game, claim, turn), node, position));

/** claimText says a claim of a proof, such as "mover wins". turn is the side to move at its root. */
export function claimText(game, claim, turn) {
  const [who, what] = claim.split(' ');
  return t(what, side(game, who === 'mover' ? turn : 3 - turn));
}

const wide = (digit) => String.fromCharCode(0xfee0 + digit.charCodeAt(0));

/** isShogi tells the full game by its layout. */
const isShogi = (layout) => layout?.columns[0] === '9';

/** rowName is the label of a row of a board, and squareName a square, such as 五 and ５五. */
export const rowName = (layout, text) => (japanese && isShogi(layout) ? '一二三四五六七八九'['abcdefghi'.indexOf(text)] : text);

export const squareName = (layout, square) => (japanese && isShogi(layout) ? wide(square[0]) + rowName(layout, square[1]) : clear(layout, square));

/** clear writes squares of large boards with capitals, since l9 looks like 19. */
export const clear = (layout, text) => (/lines|hexagons/.test(layout?.style) ? text.replace(/[a-t](?=\d)/g, (letter) => letter.toUpperCase()) : text);

/** moveName is a move as the chosen language writes it, such as ▲５五歩. last is the move before it. */
export function moveName(layout, m, last) {
  if (/^(swap|pass)$/.test(m.move)) return t(m.move);
  if (!japanese || !m.japanese) return clear(layout, m.move);
  const [mark, file, rank, ...piece] = m.japanese;
  return mark + (last?.squares && last.squares.at(-1) === m.squares.at(-1) ? '同' : wide(file) + rank) + piece.join('');
}

const houses = { default: '標準', phone: 'スマホ詰パラ', classics: '古典', strict: '厳格' };

/** houseName is the name of a house of mate problems. */
export const houseName = (name) => (japanese && houses[name]) || name;

/** handText is pieces in hand that are written as in SFEN, such as 2P. */
export const handText = (text) => (japanese ? text.replace(/(\d*)([A-Z])/g, (_, n, letter) => `${{ R: '飛', B: '角', G: '金', S: '銀', N: '桂', L: '香', P: '歩' }[letter] ?? letter}${n}`) : text);

/** pieceName is the name of a kind of pieces. In sets of characters it is that of the piece. */
export function pieceName(game, kind) {
  const { set, kinds } = game.layout;
  if (!japanese) return kind.replace(/shogi|janggi/, '').replace(/^[A-Z]|(?<=[a-z])[A-Z]/g, (c, at) => (at ? ' ' : '') + c.toLowerCase());
  if (kind !== 'wall' && /xiangqi|janggi/.test(set)) return kinds.find((k) => k.name === kind).text;
  return pieces[`${set === 'chess' ? set : family(game)} ${kind.split(/ from | [A-Z]$/)[0]}`] ?? (set === 'chess' ? kind : pieces[kind] ?? kinds.find((k) => k.name === kind).text);
}

export const number = (n) => n.toLocaleString(japanese ? 'ja' : 'en');

export const symbols = { win: '▲', draw: '=', loss: '▼', unknown: '?', 'win or draw': '▲=', 'loss or draw': '▼=' };

/** conditional reports whether a proof rests on a database that was not verified. */
const conditional = (game) => game.checksum && game.verification?.state !== 'verified';

/** status says what was found out about a database or a proof, nothing about a search. */
export function status(game) {
  if (!game.state) return '';
  const { verification: v, kind, state } = game;
  const words = [t(`${kind}_${state}`)];
  if (v && kind === 'database') words.push(t(v.state, v.at?.slice(0, 10), v.by));
  if (state === 'checked' && conditional(game)) words.push(t('rightIf'));
  return words.join(', ');
}

/** outcome names the player whom a proof is about. turn is the side to move. */
export function outcome(game, proves, turn) {
  if (proves === 'draw') return t('draw');
  return t(/draw/.test(proves) ? 'holds' : 'wins', side(game, proves.startsWith('win') ? turn : 3 - turn));
}

/** proven says what a checked proof shows. It may rest on a database. */
export const proven = (game, proves, turn) => t(conditional(game) ? 'provenIf' : 'proven', outcome(game, proves, turn));

/** isKnown reports whether there is a value. */
export const isKnown = (v) => Boolean(v?.category) && v.category !== 'unknown';

/** proved reads the value that a review has proven, such as "win in 9", "win in 9 or less", "draw" or "+3". */
export function proved(text) {
  const [, category, plies, bound] = /^(win|draw|loss)(?: in (\d+))?( or less)?$/.exec(text) ?? [];
  if (category) return { category, dtm: plies && !bound ? Number(plies) : null };
  return { category: text[0] === '-' ? 'loss' : 'win', score: Number(text) };
}

/**
 * value says how to show a value for the side to move: its class, symbol, number, and words. Class
 * and symbol say who wins: win and ▲ are for side 1, whoever is to move.
 */
export function value(v, game, mover) {
  if (!isKnown(v)) return { css: 'unknown', symbol: '?', number: '', words: t('unknown') };
  const score = v.score ?? null;
  const plies = v.dtm ?? null;
  const good = score !== null ? Math.sign(score) : { win: 1, loss: -1 }[v.category] ?? 0;
  if (good === 0) return { css: 'draw', symbol: symbols.draw, number: score === null ? '' : '0', words: t(score === null ? 'draw' : 'even') };
  const winner = good > 0 ? mover : 3 - mover;
  const css = winner === 1 ? 'win' : 'loss';
  const size = score === null ? plies : Math.abs(score);
  const name = side(game, winner);
  return {
    css, symbol: symbols[css], number: size === null ? '' : String(size),
    words: score !== null ? t('willLead', name, size) : plies === null ? t('wins', name) : t('willWin', name, plies),
  };
}

/** byName says what has proven a value. */
export const byName = (by) => (words[by] ? t(by) : by);

/** provenBy says a value that was proven, for the side to move. */
export const provenBy = (a, game, mover) => t('provenBy', byName(a.proved_by), value(proved(a.value), game, mover).words);
