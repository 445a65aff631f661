/** Wrong times and sizes in the entries of a list (section 2). */
import { type FalseEntry, falseEntry } from './entries-kit.ts';
import type { CacheDeviation } from './kit.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A further requirement that fails where every size is wrong. */
const LARGE = ['CACHE-ENTRY-SIZE-LARGE'];

const accesses: FalseEntry[] = [
  [
    'accessed-is-created',
    'LAST-ACCESSED-AT-VALUE',
    'gives the time of creation as that of the last access',
    (_cache, { created_at }) => ({ last_accessed_at: created_at }),
  ],
  [
    'accessed-in-local-time',
    'LAST-ACCESSED-AT-VALUE',
    'gives local time as UTC for the last access',
    ({ lastAccessedAt }, _truth, timestamp) => ({ last_accessed_at: timestamp(lastAccessedAt + HOUR) }),
  ],
  [
    'accessed-to-the-minute',
    'LAST-ACCESSED-AT-VALUE',
    'truncates the last access to the minute',
    ({ lastAccessedAt }, _truth, timestamp) => ({
      last_accessed_at: timestamp(lastAccessedAt - (lastAccessedAt % MINUTE)),
    }),
  ],
  [
    'entry-accessed-is-created',
    'LAST-ACCESSED-AT-VALUE',
    'gives the time of creation as that of the last access',
    (_cache, { created_at }) => ({ last_accessed_at: created_at }),
  ],
  [
    'entry-accessed-local',
    'LAST-ACCESSED-AT-VALUE',
    'gives a local time of last access as UTC',
    ({ lastAccessedAt }, _truth, timestamp) => ({ last_accessed_at: timestamp(lastAccessedAt + 2 * HOUR) }),
  ],
  [
    'entry-accessed-to-the-minute',
    'LAST-ACCESSED-AT-VALUE',
    'truncates the time of last access to the minute',
    ({ lastAccessedAt }, _truth, timestamp) => ({
      last_accessed_at: timestamp(Math.floor(lastAccessedAt / MINUTE) * MINUTE),
    }),
  ],
];

const creations: FalseEntry[] = [
  [
    'created-is-accessed',
    'CREATED-AT-VALUE',
    'gives the last access as the time of creation',
    (_cache, { last_accessed_at }) => ({ created_at: last_accessed_at }),
  ],
  [
    'created-in-local-time',
    'CREATED-AT-VALUE',
    'gives local time as UTC for the creation',
    ({ createdAt }, _truth, timestamp) => ({ created_at: timestamp(createdAt - 5 * HOUR) }),
  ],
  [
    'created-to-the-day',
    'CREATED-AT-VALUE',
    'truncates the creation to the day',
    ({ createdAt }, _truth, timestamp) => ({ created_at: timestamp(createdAt - (createdAt % DAY)) }),
  ],
  [
    'entry-created-is-accessed',
    'CREATED-AT-VALUE',
    'gives the time of the last access as that of creation',
    (_cache, { last_accessed_at }) => ({ created_at: last_accessed_at }),
  ],
  [
    'entry-created-local',
    'CREATED-AT-VALUE',
    'gives a local time of creation as UTC',
    ({ createdAt }, _truth, timestamp) => ({ created_at: timestamp(createdAt - 5 * HOUR) }),
  ],
  [
    'entry-created-twelve-hours',
    'CREATED-AT-VALUE',
    'writes the hour of creation on a clock of twelve hours',
    ({ createdAt }, _truth, timestamp) => {
      const time = new Date(createdAt);
      return { created_at: timestamp(time.setUTCHours(time.getUTCHours() % 12)) };
    },
  ],
];

const sizes: FalseEntry[] = [
  [
    'size-in-kilobytes',
    'SIZE-IN-BYTES-VALUE',
    'gives sizes in kilobytes',
    ({ sizeInBytes }) => ({ size_in_bytes: Math.ceil(sizeInBytes / 1024) }),
    LARGE,
  ],
  [
    'size-in-blocks',
    'SIZE-IN-BYTES-VALUE',
    'rounds sizes up to blocks',
    ({ sizeInBytes }) => ({ size_in_bytes: Math.ceil(sizeInBytes / 4096) * 4096 }),
    LARGE,
  ],
  [
    'entry-size-in-kilobytes',
    'SIZE-IN-BYTES-VALUE',
    'gives sizes in kilobytes',
    ({ sizeInBytes }) => ({ size_in_bytes: Math.ceil(sizeInBytes / 1024) }),
    LARGE,
  ],
  [
    'entry-size-in-blocks',
    'SIZE-IN-BYTES-VALUE',
    'rounds sizes up to blocks',
    ({ sizeInBytes }) => ({ size_in_bytes: Math.ceil(sizeInBytes / 512) * 512 }),
    LARGE,
  ],
];

const largeSizes: FalseEntry[] = [
  [
    'size-in-32-bits',
    'SIZE-LARGE',
    'truncates sizes to 32 bits',
    ({ sizeInBytes }) => ({ size_in_bytes: sizeInBytes >>> 0 }),
  ],
  [
    'size-in-31-bits',
    'SIZE-LARGE',
    'reports no size above 2147483647',
    ({ sizeInBytes }) => ({ size_in_bytes: Math.min(sizeInBytes, 2 ** 31 - 1) }),
  ],
  [
    'size-as-float',
    'SIZE-LARGE',
    'keeps sizes with 24 bits of precision',
    ({ sizeInBytes }) => ({ size_in_bytes: Math.fround(sizeInBytes) }),
  ],
  [
    'entry-size-32-bits',
    'SIZE-LARGE',
    'keeps 32 bits of a size',
    ({ sizeInBytes }) => ({ size_in_bytes: sizeInBytes % 2 ** 32 }),
  ],
  [
    'entry-size-capped',
    'SIZE-LARGE',
    'reports at most 2^31 - 1 as a size',
    ({ sizeInBytes }) => ({ size_in_bytes: Math.min(2 ** 31 - 1, sizeInBytes) }),
  ],
  [
    'entry-size-single-precision',
    'SIZE-LARGE',
    'rounds large sizes to single precision',
    ({ sizeInBytes }) => ({
      size_in_bytes: sizeInBytes > 2 ** 31 ? Math.fround(sizeInBytes) : sizeInBytes,
    }),
  ],
];

export const entryFigureDeviations: CacheDeviation[] = [
  ...accesses,
  ...creations,
  ...sizes,
  ...largeSizes,
].map(falseEntry);
