import { crc32, deflateSync } from 'node:zlib';
import { randomOf } from '@spillway/testing';

const size = 48;

/** A small PNG of a parcel on a doorstep, like a carrier's photo: grainy, and different for each order. */
export function drawParcel(orderId: string, where: string): string {
  const random = randomOf(crc32(Buffer.from(orderId)));
  const [left, top] = [6 + random.below(10), 14 + random.below(8)];
  const isDented = where === 'left at the door';
  return png((x, y) => {
    const grain = random.below(14);
    const onParcel = x >= left && x < left + 24 && y >= top && y < top + 20;
    if (onParcel && isDented && x - left + (y - top) < 9) return [70 + grain, 50 + grain, 30];
    if (onParcel && (x - left === 11 || y - top === 9)) return [225, 215, 190];
    if (onParcel) return [165 + grain, 120 + grain, 70];
    return y > top + 18 ? [95 + grain, 95 + grain, 100] : [60 + grain, 80 + grain, 120];
  });
}

/** Encodes pixels as a PNG of RGB, in base64. */
function png(pixel: (x: number, y: number) => [number, number, number]): string {
  const rows = Array.from({ length: size }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: size }, (_, x) => pixel(x, y)).flat()]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits a channel, RGB.
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]; // prettier-ignore
  return Buffer.concat([signature, ...chunks]).toString('base64');
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
