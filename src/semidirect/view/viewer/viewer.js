// The page of a run: reads the numbers in #data, draws them, moves them. build.mjs makes bundle.js of it.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";

const $ = (id) => document.getElementById(id);
const scene = JSON.parse($("data").textContent);

function unpacked(text, Kind = Float32Array) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Kind(bytes.buffer);
}

const times = unpacked(scene.times, Float64Array);
const T = times.length, P = scene.numbers.length;
const quaternions = unpacked(scene.quaternion), position = unpacked(scene.position), trail = unpacked(scene.trail);
const joints = Object.fromEntries(Object.entries(scene.joints).map(([k, v]) => [k, unpacked(v)]));
const scaled = (values, by) => (by === 1 ? values : Float64Array.from(values, (x) => by * x));
const vectors = Object.fromEntries(Object.entries(scene.vectors).map(([k, v]) => [k, scaled(unpacked(v), scene.scales[k])]));
const series = scene.series.map((s) => ({ ...s, change: scaled(unpacked(s.change), s.scale) }));
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");
const state = { t: times[0], path: 0, speed: scene.speed, playing: false, camera: "fixed", ghosts: true, trail: true };

// How many frames of each path have values, from the first on.
const valid = Array.from({ length: P }, (_, p) => {
  let k = 0;
  while (k < T && Number.isFinite(quaternions[4 * (p * T + k)]) && Number.isFinite(trail[3 * (p * T + k)])) k++;
  return k;
});

const LETTERS = { alpha: "α", beta: "β", gamma: "γ", Gamma: "Γ", theta: "θ", phi: "φ", psi: "ψ", omega: "ω", Omega: "Ω", nu: "ν", xi: "ξ", chi: "χ" };
const word = (name) => LETTERS[name] ?? name.replace(/-/g, " ");
const titled = (name) => name.replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);

// -- where things are at a time -------------------------------------------------------------------------------------

/** The frame before a time, and how far the time is on the way to the next. */
function placeOf(t) {
  let low = 0, high = T - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  if (t >= times[T - 1]) return [T - 1, 0];
  return [low, Math.max(0, (t - times[low]) / (times[low + 1] - times[low]))];
}

const before = new THREE.Quaternion(), after = new THREE.Quaternion();

/** Rotation and position of a path at a place; whether there are any. */
function pose(p, [k, part], quaternion, where) {
  if (k >= valid[p]) return false;
  const i = p * T + k, j = part > 0 && k + 1 < valid[p] ? i + 1 : i;
  before.fromArray(quaternions, 4 * i);
  if (j === i) quaternion.copy(before);
  else quaternion.slerpQuaternions(before, after.fromArray(quaternions, 4 * j), part);
  for (let c = 0; c < 3; c++) {
    where.setComponent(c, position[3 * i + c] + part * (position[3 * j + c] - position[3 * i + c]));
  }
  return true;
}

function between(values, width, p, [k, part], c = 0) {
  const i = p * T + k, j = k + 1 < T ? i + 1 : i;
  const a = values[width * i + c], b = values[width * j + c];
  return part > 0 && Number.isFinite(b) ? a + part * (b - a) : a;
}

// -- the body in space ----------------------------------------------------------------------------------------------

const BODY = ["#2a78bd", "#f0f2f4"], MARK = ["#d9541e", "#f3a24a"], DARK = ["#39424c", "#59636e"];
const TONES = { body: BODY, mark: MARK, dark: DARK };

/** A body of size 1 with two tones in turns, so that one sees it turn. */
function unit(kind) {
  if (kind === "sphere") return new THREE.SphereGeometry(1, 64, 32).rotateX(Math.PI / 2);
  if (kind === "cylinder") return new THREE.CylinderGeometry(1, 1, 1, 48).rotateX(Math.PI / 2);
  if (kind === "cone") return new THREE.ConeGeometry(1, 1, 64, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5);
  return new THREE.BoxGeometry(1, 1, 1);
}

function toneOf(kind, x, y, z) {
  if (kind === "sphere") return (x > 0) !== (y > 0) !== (z > 0);
  if (kind === "box") return Math.abs(x) >= Math.max(Math.abs(y), Math.abs(z)) ? x < 0 : Math.abs(y) > Math.abs(z) ? y > 0 : z < 0;
  return Math.floor(((Math.atan2(y, x) + Math.PI) / (2 * Math.PI)) * 8 - 1e-6) % 2 === 0;
}

function geometryOf(part) {
  const geometry = unit(part.kind).toNonIndexed(), at = geometry.attributes.position, colours = new Float32Array(3 * at.count);
  const [one, two] = TONES[part.colour].map((c) => new THREE.Color(c));
  for (let i = 0; i < at.count; i += 3) {
    const mean = [0, 1, 2].map((c) => (at.array[3 * i + c] + at.array[3 * i + 3 + c] + at.array[3 * i + 6 + c]) / 3);
    const colour = toneOf(part.kind, ...mean) ? one : two;
    for (let j = 0; j < 3; j++) colour.toArray(colours, 3 * (i + j));
  }
  geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  const l = part.linear;
  return geometry.applyMatrix4(new THREE.Matrix4().set(...l[0], 0, ...l[1], 0, ...l[2], 0, 0, 0, 0, 1));
}

/** The body of a path. One with something inside is seen through; ghosts are fainter. */
function bodyOf(parts, ghost) {
  const group = new THREE.Group(), dots = parts.some((p) => p.kind === "dot"), works = parts.some((p) => p.joint);
  group.joints = [];
  for (const part of parts) {
    let one;
    if (part.kind === "dot") {
      if (ghost) continue;
      const material = new THREE.MeshBasicMaterial({ color: "#d9541e", depthTest: false, transparent: true });
      one = new THREE.Mesh(new THREE.SphereGeometry(0.04 * scene.radius, 20, 12), material);
      one.renderOrder = 3;
    } else {
      const through = part.kind === "sphere" && (dots || works);
      const material = new THREE.MeshStandardMaterial({
        vertexColors: true, roughness: 0.55, metalness: 0.05, side: THREE.DoubleSide,
        transparent: ghost || through, opacity: ghost ? 0.14 : through ? (works ? 0.4 : 0.78) : 1, depthWrite: !ghost && !through,
      });
      if (through) material.side = THREE.FrontSide;
      one = new THREE.Mesh(geometryOf(part), material);
      one.renderOrder = ghost ? 1 : through ? 2 : 0;
    }
    one.position.fromArray(part.centre);
    if (part.joint) group.joints.push([one, part.joint, new THREE.Vector3().fromArray(part.hinge).normalize()]);
    group.add(one);
  }
  return group;
}

class Space {
  constructor(canvas) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.world = new THREE.Scene();
    this.eye = new THREE.PerspectiveCamera(38, 1, 0.01 * scene.radius, 4000 * scene.radius);
    this.eye.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.eye, canvas);
    this.controls.addEventListener("change", () => (changed = true));
    this.sky = new THREE.HemisphereLight("#ffffff", "#8a8f96", 2.1);
    this.sun = new THREE.DirectionalLight("#ffffff", 1.7);
    this.world.add(this.sky, this.sun);
    this.extent();
    this.bodies = Array.from({ length: P }, (_, p) => {
      const parts = scene.bodies[scene.body[p]], pair = { main: bodyOf(parts, false), ghost: bodyOf(parts, true) };
      this.world.add(pair.main, pair.ghost);
      return pair;
    });
    this.trails();
    this.ground();
  }

  /** The box that all paths fill. */
  extent() {
    this.box = new THREE.Box3();
    const at = new THREE.Vector3();
    for (let p = 0; p < P; p++) {
      for (let k = 0; k < valid[p]; k++) this.box.expandByPoint(at.fromArray(position, 3 * (p * T + k)));
    }
    if (this.box.isEmpty()) this.box.expandByPoint(at.set(0, 0, 0));
    this.box.expandByScalar(scene.radius);
    if (scene.onGround) this.box.min.z = 0;
    this.middle = this.box.getCenter(new THREE.Vector3());
    this.reach = this.box.getSize(new THREE.Vector3()).length() / 2;
  }

  trails() {
    const lift = scene.onGround ? 0.01 * scene.radius : 0;
    this.lines = Array.from({ length: P }, (_, p) => {
      const points = trail.slice(3 * p * T, 3 * (p * T + Math.max(valid[p], 1))).map((x, i) => (Number.isFinite(x) ? x : 0) + (i % 3 === 2 ? lift : 0));
      const thin = new THREE.Line(
        new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(points, 3)),
        new THREE.LineBasicMaterial({ transparent: true, opacity: 0.45 }),
      );
      thin.frustumCulled = false;
      this.world.add(thin);
      return { thin, points };
    });
    this.material = new LineMaterial({ linewidth: 2.5 });
    this.thick(0);
  }

  /** The trail of the chosen path. */
  thick(p) {
    if (this.line) {
      this.world.remove(this.line);
      this.line.geometry.dispose();
    }
    const { points } = this.lines[p];
    const two = points.length < 6 ? [...points, ...points] : points;
    this.line = new Line2(new LineGeometry().setPositions(two), this.material);
    this.line.frustumCulled = false;
    this.world.add(this.line);
    this.lineOf = p;
  }

  ground() {
    const r = scene.radius, step = 10 ** Math.round(Math.log10(r));
    this.step = step * (r / step > 1.6 ? 2 : r / step < 0.5 ? 0.5 : 1);
    this.floor = new THREE.Group();
    this.floor.position.z = scene.onGround ? 0 : scene.moves ? this.box.min.z - 0.2 * r : -1.15 * r;
    const wide = scene.table ? Math.max(this.reach * 1.1, 4 * r) : 400 * this.step;
    const flat = scene.table ? new THREE.CircleGeometry(wide, 96) : new THREE.PlaneGeometry(2 * wide, 2 * wide);
    const { position: at, uv } = flat.attributes;
    for (let i = 0; i < at.count; i++) uv.setXY(i, at.getX(i) / this.step, at.getY(i) / this.step);
    this.tile = document.createElement("canvas");
    this.tile.width = this.tile.height = 128;
    const squares = new THREE.CanvasTexture(this.tile);
    squares.wrapS = squares.wrapT = THREE.RepeatWrapping;
    squares.colorSpace = THREE.SRGBColorSpace;
    squares.anisotropy = 8;
    this.grid = new THREE.Mesh(flat, new THREE.MeshBasicMaterial({ map: squares }));
    this.grid.position.z = -0.004 * r;
    this.floor.add(this.grid);
    const soft = document.createElement("canvas"), brush = soft.getContext("2d");
    soft.width = soft.height = 64;
    const fade = brush.createRadialGradient(32, 32, 0, 32, 32, 32);
    fade.addColorStop(0, "rgba(0, 0, 0, 1)");
    fade.addColorStop(1, "rgba(0, 0, 0, 0)");
    brush.fillStyle = fade;
    brush.fillRect(0, 0, 64, 64);
    const shadow = { map: new THREE.CanvasTexture(soft), transparent: true, depthWrite: false };
    this.blob = new THREE.Mesh(new THREE.PlaneGeometry(1.5 * r, 1.5 * r), new THREE.MeshBasicMaterial(shadow));
    this.blob.visible = scene.onGround;
    this.world.add(this.floor, this.blob);
    if (scene.stand) {
      const post = new THREE.CylinderGeometry(0.02 * r, 0.05 * r, 1.15 * r, 24).rotateX(Math.PI / 2);
      this.post = new THREE.Mesh(post, new THREE.MeshStandardMaterial({ roughness: 0.8 }));
      this.post.position.z = -0.575 * r;
      this.world.add(this.post);
    }
  }

  /** The camera where it begins, for the way it is used. */
  home() {
    const r = scene.radius, half = Math.sin((this.eye.fov * Math.PI) / 360) * Math.min(1, this.eye.aspect);
    const target = new THREE.Vector3();
    let distance = (0.9 * this.reach) / half, from = new THREE.Vector3(0.62, -0.78, 0.42);
    if (state.camera === "follow") {
      pose(state.path, placeOf(state.t), before, target);
      distance = (2.1 * r) / half;
    } else target.copy(this.middle);
    if (!scene.moves && !scene.onGround) {
      target.set(0, 0, scene.stand ? 0.3 * r : 0);
      distance = (scene.stand ? 1.25 * r : 1.15 * r) / half;
    }
    if (state.camera === "above") from = new THREE.Vector3(0, -1e-4, 1);
    this.controls.target.copy(target);
    this.eye.position.copy(target).addScaledVector(from.normalize(), distance);
    this.controls.update();
    changed = true;
  }

  dress() {
    const night = dark.matches, back = new THREE.Color(night ? "#171b20" : "#f2f3f1");
    this.world.background = back;
    this.world.fog = new THREE.Fog(back, 1, 2);
    const pen = this.tile.getContext("2d");
    pen.fillStyle = scene.table ? (night ? "#232a31" : "#e3e7ea") : `#${back.getHexString()}`;
    pen.fillRect(0, 0, 128, 128);
    pen.fillStyle = night ? "#3b4651" : "#c3cad0";
    pen.fillRect(0, 0, 128, 3);
    pen.fillRect(0, 0, 3, 128);
    this.grid.material.map.needsUpdate = true;
    this.post?.material.color.set(night ? "#76818c" : "#8b949d");
    this.blob.material.opacity = night ? 0.6 : 0.35;
    this.material.color.set(night ? "#ffb454" : "#c2410c");
    for (const { thin } of this.lines) thin.material.color.set(night ? "#93a4b5" : "#5d7285");
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.renderer.domElement.parentElement;
    if (!w || !h) return; // a frame that is not laid out yet
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(w, h, false);
    this.eye.aspect = w / h;
    this.eye.updateProjectionMatrix();
    if (!this.begun) {
      this.begun = true;
      this.home();
    }
  }

  draw() {
    const place = placeOf(state.t);
    for (let p = 0; p < P; p++) {
      const { main, ghost } = this.bodies[p], chosen = p === state.path, one = chosen ? main : ghost;
      (chosen ? ghost : main).visible = false;
      one.visible = (chosen || state.ghosts) && pose(p, place, one.quaternion, one.position);
      for (const [part, name, hinge] of one.joints) part.quaternion.setFromAxisAngle(hinge, between(joints[name], 1, p, place));
      const { thin } = this.lines[p];
      thin.visible = state.trail && state.ghosts && !chosen;
      thin.geometry.setDrawRange(0, Math.min(place[0] + 1, valid[p]));
    }
    if (this.lineOf !== state.path) this.thick(state.path);
    const reached = Math.min(place[0], valid[state.path] - 1);
    this.line.visible = state.trail && reached > 0;
    this.line.geometry.instanceCount = Math.max(1, reached);
    const body = this.bodies[state.path].main;
    if (state.camera === "follow" && body.visible) {
      const shift = body.position.clone().sub(this.controls.target);
      if (scene.onGround) shift.z = 0;
      this.controls.target.add(shift);
      this.eye.position.add(shift);
      this.controls.update();
    }
    if (body.visible && scene.onGround) {
      const [x, y] = [0, 1].map((c) => between(trail, 3, state.path, place, c));
      this.blob.position.set(x, y, 0.004 * scene.radius);
    }
    this.blob.visible = scene.onGround && body.visible;
    if (scene.table) {
      this.floor.rotation.z = scene.table * state.t;
    } else {
      const s = this.step, at = this.controls.target;
      this.grid.position.set(Math.round(at.x / s) * s, Math.round(at.y / s) * s, this.grid.position.z);
    }
    const distance = this.eye.position.distanceTo(this.controls.target);
    this.world.fog.near = 2 * distance;
    this.world.fog.far = Math.max(5 * distance, 3 * this.reach);
    this.sun.position.copy(this.controls.target).add(new THREE.Vector3(-1, -2, 4).multiplyScalar(scene.radius));
    this.sun.target.position.copy(this.controls.target);
    this.sun.target.updateMatrixWorld();
    this.renderer.render(this.world, this.eye);
  }
}

const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

/** A number to read. */
function spelled(x, digits) {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x), small = size > 0 && (size < 1e-3 || size >= 1e6);
  const text = small ? x.toExponential(digits - 1) : x.toPrecision(digits);
  return text.replace(/e\+?(-?\d+)/, (_, n) => ` · 10${[...n].map((c) => RAISED[c]).join("")}`).replace("-", "−");
}

// -- drawings in the plane ------------------------------------------------------------------------------------------

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A canvas with a context in CSS pixels; [context, width, height]. */
function fresh(canvas) {
  const ratio = Math.min(devicePixelRatio, 2), w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, w, h);
  return [context, w, h];
}

class Sphere {
  constructor(canvas) {
    this.canvas = canvas;
    this.turn = -0.9;
    this.lean = 0.42;
    this.choose(Object.keys(vectors)[0]);
    let from = null;
    canvas.addEventListener("pointerdown", (e) => {
      from = [e.clientX, e.clientY];
      canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener("pointermove", (e) => {
      if (!from) return;
      this.turn += (e.clientX - from[0]) / 80;
      this.lean = Math.max(-1.5, Math.min(1.5, this.lean + (e.clientY - from[1]) / 80));
      from = [e.clientX, e.clientY];
      changed = true;
    });
    canvas.addEventListener("pointerup", () => (from = null));
  }

  choose(name) {
    this.name = name;
    this.values = vectors[name];
    this.most = 0;
    for (let i = 0; i < this.values.length; i += 3) {
      const length = Math.hypot(this.values[i], this.values[i + 1], this.values[i + 2]);
      if (Number.isFinite(length) && length > this.most) this.most = length;
    }
    this.most ||= 1;
  }

  /** Right, up and towards the reader, of a vector. */
  seen(x, y, z) {
    const c = Math.cos(this.turn), s = Math.sin(this.turn), a = c * x - s * y, b = s * x + c * y;
    const l = Math.cos(this.lean), m = Math.sin(this.lean);
    return [a, l * z + m * b, m * z - l * b];
  }

  draw() {
    const [context, w, h] = fresh(this.canvas), radius = Math.min(w, h) / 2 - 12;
    if (radius <= 0) return;
    const line = style("--line"), ink = style("--ink"), soft = style("--soft"), accent = style("--accent");
    const at = (v) => [w / 2 + radius * v[0], h / 2 - radius * v[1]];
    const curve = (points, colour, width, alpha) => {
      for (const front of [false, true]) {
        context.beginPath();
        let pen = false;
        for (const point of points) {
          const v = this.seen(...point);
          const on = v[2] >= 0 === front && Number.isFinite(v[0]);
          if (on) context[pen ? "lineTo" : "moveTo"](...at(v));
          pen = on;
        }
        context.globalAlpha = alpha * (front ? 1 : 0.35);
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.stroke();
      }
      context.globalAlpha = 1;
    };
    context.beginPath();
    context.arc(w / 2, h / 2, radius, 0, 2 * Math.PI);
    context.fillStyle = style("--back");
    context.fill();
    context.strokeStyle = line;
    context.stroke();
    const ring = (f) => Array.from({ length: 73 }, (_, i) => f((i * Math.PI) / 36));
    for (let i = 0; i < 6; i++) {
      const c = Math.cos((i * Math.PI) / 6), s = Math.sin((i * Math.PI) / 6);
      curve(ring((u) => [Math.cos(u) * c, Math.cos(u) * s, Math.sin(u)]), line, 1, 1);
      if (i < 5) curve(ring((u) => [Math.sin(((i + 1) * Math.PI) / 6) * Math.cos(u), Math.sin(((i + 1) * Math.PI) / 6) * Math.sin(u), Math.cos(((i + 1) * Math.PI) / 6)]), line, 1, 1);
    }
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = soft;
    context.textAlign = "center";
    context.textBaseline = "middle";
    ["E₁", "E₂", "E₃"].forEach((label, i) => {
      const v = this.seen(...[0, 1, 2].map((c) => (c === i ? 1.1 : 0)));
      context.globalAlpha = v[2] < 0 ? 0.5 : 1;
      context.fillText(label, ...at(v));
    });
    context.globalAlpha = 1;
    const place = placeOf(state.t), scaled = (p, k) => [0, 1, 2].map((c) => this.values[3 * (p * T + k) + c] / this.most);
    const now = (p) => this.seen(...[0, 1, 2].map((c) => between(this.values, 3, p, place, c) / this.most));
    if (state.trail) curve(Array.from({ length: Math.min(place[0] + 1, valid[state.path]) }, (_, k) => scaled(state.path, k)), accent, 1.6, 0.9);
    for (let p = 0; p < P; p++) {
      if (p !== state.path && !state.ghosts) continue;
      if (place[0] >= valid[p]) continue;
      const v = now(p), chosen = p === state.path;
      context.globalAlpha = (chosen ? 1 : 0.45) * (v[2] < 0 ? 0.55 : 1);
      context.fillStyle = chosen ? ink : soft;
      context.beginPath();
      context.arc(...at(v), chosen ? 4.5 : 2.5, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
    const value = [0, 1, 2].map((c) => between(this.values, 3, state.path, place, c));
    $("value").textContent = `${word(this.name)} = (${value.map((x) => spelled(x, 4)).join(", ")})`;
  }
}

class Chart {
  constructor(one) {
    this.one = one;
    const frame = document.createElement("div");
    frame.className = "chart";
    frame.innerHTML = "<p><b></b><span></span></p><canvas role='img'></canvas>";
    frame.querySelector("b").textContent = word(one.name);
    this.value = frame.querySelector("span");
    this.canvas = frame.querySelector("canvas");
    this.canvas.setAttribute("aria-label", `${word(one.name)} over time; click to go there`);
    $("charts").append(frame);
    let low = Infinity, high = -Infinity;
    for (let p = 0; p < P; p++) {
      for (let k = 0; k < T; k++) {
        const x = one.start[p] + one.change[p * T + k];
        if (!Number.isFinite(x)) continue;
        if (x < low) low = x;
        if (x > high) high = x;
      }
    }
    if (!(low <= high)) [low, high] = [0, 1];
    const size = Math.max(Math.abs(low), Math.abs(high)) || 1;
    if (high / 2 - low / 2 < 5e-10 * size) [low, high] = [low / 2 + high / 2 - 0.05 * size, low / 2 + high / 2 + 0.05 * size];
    [this.low, this.high] = [low, high];
    const width = high / 2 - low / 2;
    this.digits = Math.min(12, Math.max(4, 2 + Math.ceil(Math.log10(size / 2 / width) || 0)));
    this.behind = document.createElement("canvas");
    const go = (e) => {
      const { left, width } = this.canvas.getBoundingClientRect();
      seek(nearest(times[0] + Math.min(1, Math.max(0, (e.clientX - left) / width)) * (times[T - 1] - times[0])));
    };
    this.canvas.addEventListener("pointerdown", (e) => (play(false), go(e)));
    this.canvas.addEventListener("pointermove", (e) => e.buttons && go(e));
  }

  at(p, k) {
    return this.one.start[p] + this.one.change[p * T + k];
  }

  x(t, w) {
    return 1 + ((t - times[0]) / (times[T - 1] - times[0])) * (w - 2);
  }

  y(v, h) {
    return h - 4 - ((v / 2 - this.low / 2) / (this.high / 2 - this.low / 2)) * (h - 8);
  }

  curve(context, p, w, h) {
    context.beginPath();
    let pen = false;
    const stride = Math.max(1, Math.floor(T / (2 * w)));
    for (let k = 0; k < T; k += stride) {
      const v = this.at(p, k), on = Number.isFinite(v);
      if (on) context[pen ? "lineTo" : "moveTo"](this.x(times[k], w), this.y(v, h));
      pen = on;
    }
    context.stroke();
  }

  /** The curves, drawn again where something but the time has changed. */
  prepare() {
    this.behind.width = 0;
  }

  draw() {
    const [context, w, h] = fresh(this.canvas);
    if (!w) return;
    if (!this.behind.width) {
      [this.behind.width, this.behind.height] = [this.canvas.width, this.canvas.height];
      const under = this.behind.getContext("2d"), ratio = this.canvas.width / w;
      under.setTransform(ratio, 0, 0, ratio, 0, 0);
      under.strokeStyle = style("--soft");
      under.globalAlpha = 0.3;
      under.lineWidth = 0.8;
      if (state.ghosts) for (let p = 0; p < P; p++) if (p !== state.path) this.curve(under, p, w, h);
      under.globalAlpha = 1;
      under.strokeStyle = style("--accent");
      under.lineWidth = 1.6;
      this.curve(under, state.path, w, h);
    }
    context.drawImage(this.behind, 0, 0, w, h);
    const place = placeOf(state.t), v = this.one.start[state.path] + between(this.one.change, 1, state.path, place);
    const x = this.x(state.t, w);
    context.strokeStyle = style("--ink");
    context.globalAlpha = 0.5;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, h);
    context.stroke();
    context.globalAlpha = 1;
    if (Number.isFinite(v)) {
      context.fillStyle = style("--ink");
      context.beginPath();
      context.arc(x, this.y(v, h), 3, 0, 2 * Math.PI);
      context.fill();
    }
    this.value.textContent = `${spelled(v, this.digits)} ${this.one.unit}`.trim();
  }
}

// -- the page -------------------------------------------------------------------------------------------------------

let changed = true, drawn = 0;

function nearest(t) {
  const [k, part] = placeOf(t);
  return part > 0.5 ? k + 1 : k;
}

function seek(frame) {
  state.t = times[Math.max(0, Math.min(T - 1, frame))];
  changed = true;
}

function play(on) {
  if (on && state.t >= times[T - 1]) state.t = times[0];
  state.playing = on;
  $("play").textContent = on ? "❚❚" : "▶";
  $("play").setAttribute("aria-label", on ? "Pause" : "Play");
  changed = true;
}

function prepare() {
  for (const chart of charts) chart.prepare();
  changed = true;
}

function choosePath(p) {
  state.path = p;
  $("path").value = p;
  speak();
  if (state.camera === "follow") space?.home();
  prepare();
}

function chooseCamera(name) {
  state.camera = name;
  $("camera").value = name;
  space?.home();
}

$("title").textContent = titled(scene.title);
$("about").textContent = `${scene.method} · ${P} path${P > 1 ? "s" : ""} · ${times[0]} to ${+times[T - 1].toPrecision(6)} s`;
$("time").max = T - 1;
const ended = (p) => (scene.endings[p] ? ` (${scene.endings[p].split(":")[0]})` : "");
const speeds = new Set([scene.speed, 4, 2, 1, 0.5, 0.25, 0.125, scene.speed / 2, scene.speed * 2]);
const spoken = (s) => (s >= 1 ? `${+s.toPrecision(3)}×` : `1/${+(1 / s).toPrecision(3)}×`);
for (const s of [...speeds].sort((a, b) => a - b)) $("speed").add(new Option(spoken(s), s, false, s === scene.speed));
scene.numbers.forEach((n, p) => $("path").add(new Option(`${n}${ended(p)}`, p)));
$("path").parentElement.hidden = $("ghostly").hidden = P === 1;
for (const name of Object.keys(vectors)) $("vector").add(new Option(word(name), name));

let space = null;
const roomy = 6 * scene.radius;
try {
  space = new Space($("space"));
  if (scene.moves && space.reach > roomy) state.camera = "follow";
  $("camera").value = state.camera;
} catch {
  scene.notes.unshift("This browser cannot draw in three dimensions: WebGL is off.");
}
const sphere = Object.keys(vectors).length ? new Sphere($("sphere")) : null;
$("ball").hidden = !sphere;
const charts = series.map((one) => new Chart(one));
/** The notes, and what ends the chosen path. */
function speak() {
  const ending = scene.endings[state.path], path = P > 1 ? `Path ${scene.numbers[state.path]}` : "The path";
  $("word").textContent = [...scene.notes, ...(ending ? [`${path} ${ending}.`] : [])].join(" ");
}
speak();
if (!scene.moves) $("camera").parentElement.hidden = true;

$("play").addEventListener("click", () => play(!state.playing));
$("time").addEventListener("input", (e) => (play(false), seek(+e.target.value)));
$("speed").addEventListener("change", (e) => (state.speed = +e.target.value));
$("path").addEventListener("change", (e) => choosePath(+e.target.value));
$("camera").addEventListener("change", (e) => chooseCamera(e.target.value));
$("vector").addEventListener("change", (e) => (sphere.choose(e.target.value), (changed = true)));
for (const [id, name] of [["ghosts", "ghosts"], ["trail", "trail"]]) {
  $(id).addEventListener("change", (e) => ((state[name] = e.target.checked), prepare()));
}

function faster(by) {
  const options = [...$("speed").options], next = options[$("speed").selectedIndex + by];
  if (next) {
    next.selected = true;
    state.speed = +next.value;
  }
}

const KEYS = {
  " ": () => play(!state.playing),
  ArrowLeft: (e) => (play(false), seek(nearest(state.t) - (e.shiftKey ? 10 : 1))),
  ArrowRight: (e) => (play(false), seek(nearest(state.t) + (e.shiftKey ? 10 : 1))),
  Home: () => (play(false), seek(0)),
  End: () => (play(false), seek(T - 1)),
  "+": () => faster(1),
  "=": () => faster(1),
  "-": () => faster(-1),
  "[": () => choosePath((state.path + P - 1) % P),
  "]": () => choosePath((state.path + 1) % P),
  c: () => scene.moves && chooseCamera({ follow: "fixed", fixed: "above", above: "follow" }[state.camera]),
  g: () => P > 1 && $("ghosts").click(),
  t: () => $("trail").click(),
};
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || /^(SELECT|BUTTON|SUMMARY|TEXTAREA)$/.test(e.target.tagName)) return;
  if (e.target.type === "checkbox" && e.key === " ") return;
  const act = KEYS[e.key];
  if (!act) return;
  e.preventDefault();
  act(e);
});

function dress() {
  space?.dress();
  prepare();
}

function resize() {
  space?.resize();
  prepare();
}

function draw() {
  space?.draw();
  sphere?.draw();
  for (const chart of charts) chart.draw();
  $("time").value = nearest(state.t);
  const span = times[T - 1] - times[0], short = span < 0.05 || span > 1e6;
  const clock = `${short ? spelled(state.t, 4) : state.t.toFixed(span < 10 ? 3 : 2)} s`;
  $("clock").value = clock;
  $("time").setAttribute("aria-valuetext", clock);
}

function step(now) {
  if (state.playing) {
    state.t += Math.min(0.1, (now - drawn) / 1000) * state.speed;
    changed = true;
    if (state.t >= times[T - 1]) {
      state.t = times[T - 1];
      play(false);
    }
  }
  drawn = now;
  if (changed) {
    changed = false;
    draw();
  }
  requestAnimationFrame(step);
}

dark.addEventListener("change", dress);
new ResizeObserver(resize).observe($("stage"));
resize();
dress();
play(!calm.matches);
requestAnimationFrame((now) => {
  drawn = now;
  step(now);
});

/** For tests: what stands on the page, and a way to move it. */
window.semidirect = {
  frames: T,
  seek: (frame) => (play(false), seek(frame), draw()),
  choose: choosePath,
  /** The rotation of the body by rows, and its position, as they are drawn. */
  pose: () => {
    draw();
    const body = space.bodies[state.path].main;
    body.updateWorldMatrix(true, false);
    const m = body.matrixWorld.elements;
    return { rotation: [0, 4, 8, 1, 5, 9, 2, 6, 10].map((i) => m[i]), position: [m[12], m[13], m[14]] };
  },
  picture: () => (draw(), $("space").toDataURL()),
};
