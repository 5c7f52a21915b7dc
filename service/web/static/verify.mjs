// Verifies a record of a Foldtable match with nothing but WebCrypto: form, chain, commitments and salts, seed, the end,
// receipts, signature. Draws and decisions need the rules of the game; they are the work of `foldtable verify`.
//
// verifyRecord(text, { receipts, keys, ends }) resolves to { ok, kind, version, message, complete }. `text` is the record as
// it was given out (JSON, a string), `receipts` are receipts as they were answered, `keys` the body of GET /api/v1/keys or
// null, `ends` how games end (see ends.mjs). `other_match` and `other_key` are receipts that say nothing about this record, or
// nothing without keys; `undecided` is a record with its seed of a game whose end is not known here, so that nobody can say
// here whether it was cut short. Otherwise kinds and versions are those of `foldtable verify`; `unreadable` with version null
// is what is no record at all.

import { Course, ENDS } from "./ends.mjs";

const FORMAT = "foldtable record 1";
const RECEIPT_CONTEXT = "foldtable receipt 1\0";
const RECORD_CONTEXT = "foldtable record 1\0";
const SECRET = 1;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const MOST_DEPTH = 32;
const YEAR_10000 = 253402300800000;

class Fault extends Error {
  constructor(version, kind, message) {
    super(message);
    this.version = version;
    this.kind = kind;
  }
}

// -- bytes --------------------------------------------------------------------------------------------------------------

export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function unhex(text) {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

function concat(...parts) {
  const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}

function big(number, length) {
  const bytes = new Uint8Array(length);
  let left = BigInt(number);
  for (let i = length - 1; i >= 0; i -= 1) {
    bytes[i] = Number(left & 255n);
    left >>= 8n;
  }
  return bytes;
}

function prefixed(...parts) {
  return concat(...parts.flatMap((part) => [big(part.length, 4), part]));
}

function same(one, other) {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

// -- hashes, as docs/storage.md has them ----------------------------------------------------------------------------------

export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

export async function hmac(key, message) {
  const made = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, message));
}

export function link(matchId, version, previous, publicPart) {
  return sha256(concat([0], prefixed(encoder.encode(matchId), big(version, 8), previous, publicPart)));
}

export async function salt(seed, version, index) {
  return (await hmac(seed, concat(encoder.encode("salt"), big(version, 8), big(index, 4)))).slice(0, 16);
}

export function commitment(saltBytes, matchId, version, index, value) {
  const place = prefixed(encoder.encode(matchId), big(version, 8), big(index, 4), value);
  return sha256(concat([1], saltBytes, place));
}

export function seedCommitment(seed) {
  return sha256(concat([2], seed));
}

// Word number n of the dice of a command, as a BigInt.
export async function word(seed, matchId, version, commandId, entropy, n) {
  const input = [matchId, null, commandId, ...entropy].map((part) => (part === null ? big(version, 8) : encoder.encode(part)));
  const key = await hmac(seed, concat(encoder.encode("draw"), prefixed(...input)));
  return BigInt(`0x${hex((await hmac(key, big(n, 4))).slice(0, 8))}`);
}

export async function signedBy(publicKey, message, signature) {
  try {
    const key = await crypto.subtle.importKey("raw", publicKey, { name: "Ed25519" }, false, ["verify"]);
    return await crypto.subtle.verify({ name: "Ed25519" }, key, signature, message);
  } catch {
    return false;
  }
}

async function keyId(publicKey) {
  return hex((await sha256(publicKey)).slice(0, 8));
}

// -- msgpack: what public parts are made of -------------------------------------------------------------------------------

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
    this.depth = 0;
    this.commitments = [];
    // False once something is not written in its shortest form, or a map names a field twice.
    this.canonical = true;
  }

  take(count) {
    if (this.at + count > this.bytes.length) throw new Error("cut short");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  // A length or number of so many bytes, which has no shorter form if it is at least `least`.
  number(count, least = 0) {
    const value = BigInt(`0x${hex(this.take(count))}`);
    if (value < BigInt(least)) this.canonical = false;
    return Number(value);
  }

  // A negative number of so many bytes, which has no shorter form if it is below `most`.
  signed(count, most) {
    const value = BigInt.asIntN(8 * count, BigInt(`0x${hex(this.take(count))}`));
    if (value >= BigInt(most)) this.canonical = false;
    return Number(value);
  }

  text(count) {
    return decoder.decode(this.take(count));
  }

  nested(read) {
    this.depth += 1;
    if (this.depth > MOST_DEPTH) throw new Error("nested too deep");
    const made = read();
    this.depth -= 1;
    return made;
  }

  list(count) {
    return this.nested(() => {
      const items = [];
      for (let i = 0; i < count; i += 1) items.push(this.value());
      return items;
    });
  }

  map(count) {
    return this.nested(() => {
      const made = new Map();
      for (let i = 0; i < count; i += 1) {
        const name = this.value();
        if (typeof name !== "string") throw new Error("a field without a name");
        if (made.has(name)) this.canonical = false;
        made.set(name, this.value());
      }
      return made;
    });
  }

  extension(count) {
    const code = this.number(1);
    const data = this.take(count);
    if (code !== SECRET || count !== 33) throw new Error("an extension that is no secret");
    this.commitments.push({ seats: data[0], digest: data.slice(1) });
    return null;
  }

  value() {
    const kind = this.number(1);
    if (kind < 0x80) return kind;
    if (kind < 0x90) return this.map(kind & 15);
    if (kind < 0xa0) return this.list(kind & 15);
    if (kind < 0xc0) return this.text(kind & 31);
    if (kind >= 0xe0) return kind - 256;
    const read = READERS[kind];
    if (!read) throw new Error("a kind of value that no commit has");
    return read(this);
  }
}

const READERS = {
  0xc0: () => null,
  0xc2: () => false,
  0xc3: () => true,
  0xc7: (r) => r.extension(r.number(1)),
  0xc8: (r) => r.extension(r.number(2, 2 ** 8)),
  0xc9: (r) => r.extension(r.number(4, 2 ** 16)),
  0xcc: (r) => r.number(1, 2 ** 7),
  0xcd: (r) => r.number(2, 2 ** 8),
  0xce: (r) => r.number(4, 2 ** 16),
  0xcf: (r) => r.number(8, 2 ** 32),
  0xd0: (r) => r.signed(1, -(2 ** 5)),
  0xd1: (r) => r.signed(2, -(2 ** 7)),
  0xd2: (r) => r.signed(4, -(2 ** 15)),
  0xd3: (r) => r.signed(8, -(2 ** 31)),
  0xd9: (r) => r.text(r.number(1, 32)),
  0xda: (r) => r.text(r.number(2, 2 ** 8)),
  0xdb: (r) => r.text(r.number(4, 2 ** 16)),
  0xdc: (r) => r.list(r.number(2, 16)),
  0xdd: (r) => r.list(r.number(4, 2 ** 16)),
  0xde: (r) => r.map(r.number(2, 16)),
  0xdf: (r) => r.map(r.number(4, 2 ** 16)),
};

// True if these bytes are one value in its shortest form. Throws if they are none.
function isShortest(bytes) {
  const reader = new Reader(bytes);
  reader.value();
  if (reader.at !== bytes.length) throw new Error("more than one value");
  return reader.canonical;
}

// The fields of a public part and the commitments in it, in order, each with a bit for every seat that may know the secret.
// `canonical` is false if it could be written shorter.
export function readPublic(bytes) {
  const reader = new Reader(bytes);
  const fields = reader.value();
  if (reader.at !== bytes.length || !Array.isArray(fields) || fields.length !== 8 || fields[0] !== 1) {
    throw new Error("not a public part");
  }
  if (!Array.isArray(fields[6]) || !fields[6].every(isNamed) || fields[6].length === 0 || !isNamed(fields[5])) {
    throw new Error("a commit without events, or without a command");
  }
  return { fields, commitments: reader.commitments, canonical: reader.canonical };
}

const isNamed = (value) => value instanceof Map && text(value.get("type"));

// -- the form of a record -------------------------------------------------------------------------------------------------

const BYTES = /^([0-9a-f]{2})*$/;
const HASH = /^[0-9a-f]{64}$/;
const whole = (value) => Number.isSafeInteger(value) && value >= 0;
const counted = (value) => whole(value) && value > 0;
// Half of a surrogate pair is no text, and has no form in UTF-8.
const text = (value) => typeof value === "string" && !/\p{Surrogate}/u.test(value);
const matching = (pattern) => (value) => text(value) && pattern.test(value);

const RECORD = {
  entries: (value) => Array.isArray(value) && value.length > 0 && value.every((line) => fits(line, LINE)),
  format: (value) => value === FORMAT,
  game: text,
  head: matching(HASH),
  key: matching(/^[0-9a-f]{16}$/),
  match_id: text,
  public_key: matching(HASH),
  rules: counted,
  seed: (value) => value === null || matching(HASH)(value),
  sees: matching(/^(all|spectator|0|[1-9][0-9]?)$/),
  signature: matching(/^[0-9a-f]{128}$/),
  version: counted,
};

const LINE = {
  hash: matching(HASH),
  public: matching(BYTES),
  secrets: (value) => Array.isArray(value) && value.every(isSecret),
  version: counted,
};

function isSecret(value) {
  const pair = Array.isArray(value) && value.length === 2;
  return value === null || (pair && matching(/^[0-9a-f]{32}$/)(value[0]) && matching(BYTES)(value[1]));
}

function fits(value, shape) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const names = Object.keys(shape);
  return Object.keys(value).length === names.length && names.every((name) => name in value && shape[name](value[name]));
}

// RFC 8785 for what a record is made of: sorted keys, no spaces.
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const pairs = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${pairs.join(",")}}`;
}

function read(recordText) {
  let record;
  try {
    record = JSON.parse(recordText);
  } catch {
    throw new Fault(null, "unreadable", "This is no JSON.");
  }
  if (!fits(record, RECORD)) throw new Fault(null, "unreadable", "This is no record.");
  if (canonical(record) !== recordText) throw new Fault(null, "unreadable", "Records are written in another way.");
  return record;
}

const RECEIPT = {
  match: text,
  version: counted,
  head: matching(HASH),
  key: text,
  signature: matching(/^[0-9a-f]{128}$/),
};

const has = (value, shape) => Object.keys(shape).every((name) => shape[name](value?.[name]));

const areKeys = (value) => Array.isArray(value?.keys) && value.keys.every((row) => matching(HASH)(row?.public));

// A receipt alone, or in the body that it was answered in.
function readReceipt(given) {
  const receipt = given?.receipt === undefined ? given : given.receipt;
  if (!has(receipt, RECEIPT)) throw new Fault(null, "unreadable", "This is no receipt.");
  return receipt;
}

// -- verifying ------------------------------------------------------------------------------------------------------------

export async function verifyRecord(recordText, { receipts = [], keys = null, ends = ENDS } = {}) {
  try {
    const record = read(recordText);
    if (keys !== null && !areKeys(keys)) throw new Fault(null, "unreadable", "These are no keys.");
    const given = receipts.map(readReceipt);
    const over = await verifyEntries(record, ends);
    verifyHeader(record);
    for (const receipt of given.sort((one, other) => one.version - other.version)) {
      await verifyReceipt(record, receipt, keys);
    }
    await verifySignature(record, keys);
    if (over === null && record.seed !== null) {
      throw new Fault(null, "undecided", "How this game ends is not known here, so the match may have been cut short.");
    }
    return { ok: true, kind: null, version: null, message: "Everything holds.", complete: record.seed !== null };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return { ok: false, kind: fault.kind, version: fault.version, message: fault.message, complete: false };
  }
}

// Resolves to whether the match is over: null where that is not known here.
async function verifyEntries(record, ends) {
  const versions = new Set(record.entries.map((line) => line.version));
  const course = new Course(ends);
  let previous = new Uint8Array(32);
  for (const [i, line] of record.entries.entries()) {
    const expected = i + 1;
    if (line.version !== expected) {
      const kind = line.version < expected || versions.has(expected) ? "reordered" : "gap";
      throw new Fault(expected, kind, `Version ${line.version} stands in the place of ${expected}.`);
    }
    const hash = await link(record.match_id, line.version, previous, unhex(line.public));
    if (hex(hash) !== line.hash) throw new Fault(expected, "altered", "Its hash does not follow from its content.");
    follow(course, line.version, await verifyLine(record, line));
    previous = hash;
  }
  if (record.seed !== null && course.over === false) {
    throw new Fault(record.entries.length + 1, "truncated", "The seed is told, but the end of the match is missing.");
  }
  if (record.seed === null && course.over === true) {
    throw new Fault(null, "wrong_seed", "The match is over, and its seed and all secrets should be told.");
  }
  return course.over;
}

// Verifies a line by itself; resolves to the fields of its public part.
async function verifyLine(record, line) {
  const { fields, commitments, canonical: shortest } = readOf(line);
  const unreadable = new Fault(line.version, "unreadable", "It is no commit, or could be written shorter.");
  const opened = fields[6][0];
  const opens = opened.get("type") === "opened";
  if (line.version === 1 && record.seed !== null) {
    if (!opens) throw unreadable;
    if (hex(await seedCommitment(unhex(record.seed))) !== opened.get("seed_commitment")) {
      throw new Fault(1, "wrong_seed", "The seed is not the one that was committed to.");
    }
  }
  if (record.seed === null && !shortest) throw unreadable;
  if (commitments.length !== line.secrets.length) {
    throw new Fault(line.version, "secret_altered", "It has not as many secrets as it commits to.");
  }
  for (const [index, secret] of line.secrets.entries()) await verifySecret(record, line, index, secret, commitments[index]);
  if (!shortest || !line.secrets.every(isReadable)) throw unreadable;
  if (opens !== (line.version === 1)) {
    if (record.seed !== null) throw unreadable;
    throw new Fault(line.version, "illegal", "It opens no match, or another one.");
  }
  return fields;
}

function isReadable(secret) {
  try {
    return secret === null || isShortest(unhex(secret[1]));
  } catch {
    return false;
  }
}

// Follows the match by one commit; its fields must be what a server could have written.
function follow(course, version, [, at, player, token, commandId, , events, draws]) {
  const illegal = new Fault(version, "illegal", "It is nothing that could have been done then.");
  const texts = [player, token, commandId].every((value) => typeof value === "string");
  if (!texts || !Number.isInteger(draws) || !Number.isInteger(at) || at < 0 || at >= YEAR_10000) throw illegal;
  if (version === 1 && !(whole(events[0].get("seats")) && whole(events[0].get("rules")))) throw illegal;
  if (events.slice(1).some((event) => event.get("type") === "opened")) throw illegal;
  try {
    course.add(version, events);
  } catch {
    throw illegal;
  }
}

function readOf(line) {
  try {
    return readPublic(unhex(line.public));
  } catch {
    throw new Fault(line.version, "unreadable", "It cannot be read.");
  }
}

async function verifySecret(record, line, index, secret, promised) {
  const altered = (message) => new Fault(line.version, "secret_altered", message);
  const told = record.seed !== null || mayKnow(record.sees, promised.seats);
  if (told !== (secret !== null)) throw altered(`Secret ${index} is ${told ? "kept from" : "told to"} its reader.`);
  if (secret === null) return;
  const [given, value] = secret.map(unhex);
  const opened = await commitment(given, record.match_id, line.version, index, value);
  if (!same(opened, promised.digest)) throw altered(`Secret ${index} is not the one that was committed to.`);
  if (record.seed !== null && !same(given, await salt(unhex(record.seed), line.version, index))) {
    throw altered("A salt does not follow from the seed.");
  }
}

function mayKnow(sees, seats) {
  return sees !== "spectator" && (sees === "all" || (Number(sees) < 8 && ((seats >> Number(sees)) & 1) === 1));
}

function verifyHeader(record) {
  const count = record.entries.length;
  if (record.version > count) throw new Fault(count + 1, "truncated", "The record says that it has more versions.");
  if (record.version !== count || record.head !== record.entries[count - 1].hash) {
    throw new Fault(count, "altered", "It is not the newest version that the record names.");
  }
  const opened = readOf(record.entries[0]).fields[6][0];
  const seat = Number(record.sees);
  if ((record.seed !== null) !== (record.sees === "all") || seat >= opened.get("seats")) {
    throw new Fault(null, "altered", `It does not hold the knowledge that it names: ${record.sees}.`);
  }
  if (opened.get("game") !== record.game || opened.get("rules") !== record.rules) {
    throw new Fault(1, "altered", "It opens another game, or other rules of it, than the record names.");
  }
}

async function verifyReceipt(record, receipt, keys) {
  if (receipt.match !== record.match_id) throw new Fault(null, "other_match", "The receipt is one of another match.");
  if (keys === null && receipt.key !== record.key) {
    throw new Fault(null, "other_key", "The receipt is signed by another key than the record; the house's keys are needed.");
  }
  const named = keys === null ? [record.public_key] : keys.keys.map((key) => key.public);
  const place = prefixed(encoder.encode(receipt.match), big(receipt.version, 8), unhex(receipt.head));
  const message = concat(encoder.encode(RECEIPT_CONTEXT), place);
  let signed = false;
  for (const key of named.map(unhex)) {
    signed ||= (await keyId(key)) === receipt.key && (await signedBy(key, message, unhex(receipt.signature)));
  }
  if (!signed) {
    throw new Fault(null, "wrong_signature", `The receipt of version ${receipt.version} is not signed by a known key.`);
  }
  const count = record.entries.length;
  if (receipt.version > count) throw new Fault(count + 1, "truncated", "There is a receipt of a later version.");
  if (record.entries[receipt.version - 1].hash !== receipt.head) {
    throw new Fault(receipt.version, "forked", "Its hash differs from the one in the receipt.");
  }
}

async function verifySignature(record, keys) {
  const key = unhex(record.public_key);
  const known = keys === null || keys.keys.some((row) => row.public === record.public_key);
  const { signature, ...rest } = record;
  const digest = await sha256(encoder.encode(canonical(rest)));
  const message = concat(encoder.encode(RECORD_CONTEXT), digest);
  if ((await keyId(key)) !== record.key || !known || !(await signedBy(key, message, unhex(signature)))) {
    throw new Fault(null, "wrong_signature", "The record is not what this house signed.");
  }
}
