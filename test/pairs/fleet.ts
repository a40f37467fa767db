// Gateways of two builds behind an imagined load balancer: real processes, started as users start them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export class Member {
  readonly build: 'last' | 'next';
  /** Standard output and error. */
  said = '';
  url = '';
  /** Requests that are not answered yet. */
  unanswered = 0;
  readonly #child: ChildProcess;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });

  constructor(build: 'last' | 'next', databaseUrl: string) {
    this.build = build;
    const environment = {
      PATH: process.env.PATH,
      HOME: tmpdir(),
      PLACEMENT_PORT: '0',
      PLACEMENT_LOG_OPERATIONS: '0',
      DATABASE_URL: databaseUrl,
    };
    this.#child = spawn(join(inject('builds')[build], 'bin/placement-gateway'), ['serve'], { env: environment });
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', (bytes) => (this.said += String(bytes)));
  }

  /** Until it is ready, as a load balancer asks. */
  async isReady(): Promise<void> {
    for (let attempt = 0; attempt < 600; attempt++) {
      this.url = /http:\S+(?=\/graphql)/.exec(this.said)?.[0] ?? '';
      if (this.url !== '' && (await this.ask('GET', '/readyz')).status === 200) return;
      await sleep(100);
    }
    throw new Error(`the gateway does not start: ${this.said}`);
  }

  /** Rejects if the connection is lost. */
  ask(method: string, path: string, body?: unknown): Promise<Answer> {
    this.unanswered++;
    return new Promise<Answer>((resolve, reject) => {
      const headers = {
        'x-auth-token': 'admin',
        'openstack-api-version': 'placement 1.39',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      const call = httpRequest(`${this.url}${path}`, { method, headers, agent: this.#agent }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: /json/.test(response.headers['content-type'] ?? '') ? JSON.parse(text) : text,
          }),
        );
      });
      call.on('error', reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    }).finally(() => this.unanswered--);
  }

  /** Its exit code, once it has ended. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'close');
    this.#agent.destroy();
    return this.#child.exitCode;
  }

  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.ended();
  }
}

/** The members that get requests, each in turn. */
export class Fleet {
  readonly members: Member[] = [];
  readonly databaseUrl: string;
  #turn = 0;

  constructor(databaseUrl: string) {
    this.databaseUrl = databaseUrl;
  }

  get next(): Member {
    const member = this.members[this.#turn++ % this.members.length];
    if (!member) throw new Error('no gateway');
    return member;
  }

  async join(build: 'last' | 'next'): Promise<void> {
    const member = new Member(build, this.databaseUrl);
    await member.isReady();
    this.members.push(member);
  }

  /** The oldest member gets no more requests, and a signal to stop once those on their way are answered. */
  async leave(): Promise<void> {
    const [member] = this.members.splice(0, 1);
    while (member && member.unanswered > 0) await sleep(20);
    await member?.stop();
  }

  async stop(): Promise<void> {
    while (this.members.length > 0) await this.leave();
  }
}

/** Runs a command of a build. */
export async function runCommand(
  build: 'last' | 'next',
  args: readonly string[],
  databaseUrl: string,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(join(inject('builds')[build], 'bin/placement-gateway'), [...args], {
    env: { PATH: process.env.PATH, HOME: tmpdir(), DATABASE_URL: databaseUrl },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += String(bytes)));
  const [code] = await once(child, 'close');
  return { code, said };
}
