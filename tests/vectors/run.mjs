// Runs the vectors through the JavaScript verifier; writes what it made of each as JSON.
import { readFileSync } from "node:fs";
import { ENDING, ENDS } from "../../service/web/static/ends.mjs";
import * as verifier from "../../service/web/static/verify.mjs";
import { TOY } from "./toy.mjs";

const { hex, unhex } = verifier;
const given = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const seed = unhex(given.seed);
const ends = given.without_ends ? {} : { ...ENDS, highest_card: { 1: TOY } };
const made = { hmac: [], seal: [], draws: [], records: [], ending: ENDING };
made.seed_commitment = hex(await verifier.seedCommitment(seed));
for (const [key, message] of given.hmac) made.hmac.push(hex(await verifier.hmac(unhex(key), unhex(message))));
for (const { version, index, value } of given.seal) {
  const salt = await verifier.salt(seed, version, index);
  const commitment = await verifier.commitment(salt, given.match_id, version, index, unhex(value));
  const link = await verifier.link(given.match_id, version, new Uint8Array(32), unhex(value));
  made.seal.push({ salt: hex(salt), commitment: hex(commitment), link: hex(link) });
}
for (const { version, command_id, entropy } of given.draws) {
  const words = [];
  for (let n = 0; n < 3; n += 1) {
    words.push(String(await verifier.word(seed, given.match_id, version, command_id, entropy, n)));
  }
  made.draws.push(words);
}
for (const { record, receipts } of given.records) {
  made.records.push(await verifier.verifyRecord(record, { receipts, keys: given.keys, ends }));
}
process.stdout.write(JSON.stringify(made));
